import { fewOf, quote, shorten } from "@knack/core/internal/engine";
import { EngineError } from "../../shared/engine-error.ts";
import type { DeclaredInput, TypedSkill } from "../../shared/typed-skill.ts";

/** A file that somebody wants a skill to work on; without a role it takes the next that is free. */
export interface GivenInput {
  readonly role?: string | null | undefined;
  readonly path: string;
}

export interface AssignedInput {
  readonly declared: DeclaredInput;
  readonly path: string;
}

/** Which file plays which part, in declared order. Throws where one is missing, unknown or too many. */
export function assignRoles(skill: TypedSkill, given: readonly GivenInput[]): AssignedInput[] {
  const byRole = new Map<string, string[]>(skill.inputs.map(({ role }) => [role, []]));
  const roles = fewOf([...byRole.keys()]) || "none";
  for (const { role, path } of given) {
    if (!role) continue;
    const files = byRole.get(role);
    if (!files)
      throw new EngineError(
        "INVALID_PARAM",
        `${skill.name} has no input ${quote(role)}; its inputs are ${roles}.`,
      );
    files.push(path);
  }
  for (const { role, path } of given) {
    if (role) continue;
    const free =
      skill.inputs.find((input) => byRole.get(input.role)?.length === 0) ??
      skill.inputs.find(({ many }) => many);
    const files = byRole.get(free?.role ?? "");
    if (!files)
      throw new EngineError(
        "INVALID_PARAM",
        `${shorten(path)} is one input too many for ${skill.name}; its inputs are ${roles}.`,
      );
    files.push(path);
  }
  return skill.inputs.flatMap((declared) => {
    const files = byRole.get(declared.role) ?? [];
    if (files.length === 0 && declared.required)
      throw new EngineError(
        "INVALID_PARAM",
        `${skill.name} needs the input "${declared.role}": name a file after the skill, add --input ${declared.role}=PATH, or put {role: "${declared.role}", path} into a tool's inputs.`,
      );
    if (files.length > 1 && !declared.many)
      throw new EngineError(
        "INVALID_PARAM",
        `${skill.name} takes one file as "${declared.role}", found ${files.length}.`,
      );
    return files.map((path) => ({ declared, path }));
  });
}
