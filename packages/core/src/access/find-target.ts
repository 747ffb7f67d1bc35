import { TYPED, typedTarget } from "../catalog/typed-skill-names.ts";
import { typedNameOf } from "../resolve/typed-name.ts";
import { KnackError } from "../shared/errors.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "./envelope.ts";
import { findSkill, type SkillWanted } from "./find-skill.ts";
import type { ToolContext } from "./tool.ts";

/** Where the skills are: those with a `SKILL.md`, and the names of the typed ones. */
export type Skills = Pick<ToolContext, "catalog" | "typedSkills">;

/** Names and paths mean skills with a text first; the same name alone means the typed skill. Throws `KnackError`. */
export function findTarget(
  { catalog, typedSkills, whyLeftOut, actor }: Skills & Pick<ToolContext, "actor" | "whyLeftOut">,
  wanted: SkillWanted,
): SkillMetadata {
  const isTyped = wanted.path === undefined && wanted.name?.startsWith(TYPED);
  const name = isTyped ? wanted.name?.slice(TYPED.length) : wanted.name;
  const typed = name === undefined ? undefined : typedNameOf(typedSkills, name);
  try {
    // Another form of a name does not come before a typed skill that is called exactly so.
    return findSkill(catalog, { ...wanted, name, exact: typed !== undefined && typed === name }, actor).skill;
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "NOT_FOUND") throw error;
    if (wanted.path !== undefined || name === undefined) throw error;
    const leftOut = whyLeftOut(name);
    if (leftOut !== undefined) throw new ToolError("NOT_FOUND", leftOut);
    if (typed === undefined) throw error;
    return typedTarget(typed);
  }
}
