import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "../tools/envelope.ts";
import { findSkill, type SkillWanted } from "../tools/find-skill.ts";
import type { ToolContext } from "../tools/tool.ts";

/** Where the skills are: those with a `SKILL.md`, and the names of the typed ones. */
export type Skills = Pick<ToolContext, "catalog" | "typedSkills">;

const TYPED = "typed:";

/** A typed skill without a `SKILL.md`, as one to dispatch: what it does is its tool. The path is its identity. */
export function typedTarget(name: string): SkillMetadata {
  const path = `${TYPED}${name}`;
  return {
    id: path,
    name,
    description: "",
    path,
    dir: path,
    // Whether its code may run is for the engine to say; it has no text that could wait for trust.
    scope: "bundled",
    mtimeMs: 0,
    dialect: "project",
    invocationMode: "tool_dispatch",
    commandTool: name,
  };
}

/** Whether there is no `SKILL.md` to it. */
export function isTypedTarget({ path }: Pick<SkillMetadata, "path">): boolean {
  return path.startsWith(TYPED);
}

/** Names and paths mean skills with a text first; the same name alone means the typed skill. Throws `ToolError`. */
export function findTarget(
  { catalog, typedSkills, whyLeftOut, actor }: Skills & Pick<ToolContext, "actor" | "whyLeftOut">,
  wanted: SkillWanted,
): SkillMetadata {
  const isTyped = wanted.path === undefined && wanted.name?.startsWith(TYPED);
  const name = isTyped ? wanted.name?.slice(TYPED.length) : wanted.name;
  try {
    return findSkill(catalog, { ...wanted, name }, actor).skill;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "NOT_FOUND") throw error;
    if (wanted.path !== undefined || name === undefined) throw error;
    const leftOut = whyLeftOut(name);
    if (leftOut !== undefined) throw new ToolError("NOT_FOUND", leftOut);
    if (!typedSkills.includes(name)) throw error;
    return typedTarget(name);
  }
}
