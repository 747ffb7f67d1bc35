import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { isTag } from "@knack/engine";

/** A list such as `a,b`; `undefined` where it was not given. */
export function readNames(option: string, given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = given
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length > 0) return names;
  throw new SkillError(
    "INVALID_PARAM",
    `${option} takes names with commas between them, not ${quote(given)}.`,
  );
}

/** As the entries of a registry may ask for. */
export function readTags(option: string, given: string | undefined): readonly string[] {
  const tags = readNames(option, given) ?? [];
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong === undefined) return tags;
  throw new SkillError(
    "INVALID_PARAM",
    `${option}: ${quote(wrong)} is not a tag; use letters, digits, ".", "_" and "-", at most 40.`,
  );
}
