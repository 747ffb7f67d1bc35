import { SkillError } from "@knack/core";
import { shorten } from "@knack/core/internal";
import type { RunSkillRequest, TypedSkill } from "@knack/engine";

type GivenInput = NonNullable<RunSkillRequest["inputs"]>[number];

/**
 * The files behind the skill's name take its inputs in declared order, then those of `--input` the inputs that are left.
 * An unknown skill has no inputs: the engine says that it is unknown.
 */
export function readInputs(
  skill: TypedSkill | undefined,
  files: readonly string[],
  options: readonly string[],
): GivenInput[] {
  const declared = skill?.inputs ?? [];
  const named = options.map((given) => readOption(skill, given));
  const placed = files.map((path, place): GivenInput => {
    const input = declared[place];
    const twice = input && !input.many && named.find(({ role }) => role === input.role);
    if (twice)
      throw new SkillError(
        "INVALID_PARAM",
        `The input "${input.role}" is given twice: ${shorten(path)} and --input ${input.role}=${shorten(twice.path)}. Leave one out, or name the other input: --input role=path.`,
      );
    return { role: input?.role, path };
  });
  return [...placed, ...named];
}

/** `role=path`; a prefix that is no declared role belongs to the path. */
function readOption(skill: TypedSkill | undefined, given: string): GivenInput {
  const at = given.indexOf("=");
  const role = given.slice(0, Math.max(0, at));
  return skill?.inputs.some((input) => input.role === role)
    ? { role, path: given.slice(at + 1) }
    : { path: given };
}
