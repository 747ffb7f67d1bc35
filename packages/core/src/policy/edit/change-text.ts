import { isDeepStrictEqual } from "node:util";
import { checkConfig } from "../../config/check.ts";
import { tellProblems } from "../../config/load.ts";
import type { ConfigFile } from "../../config/schema.ts";
import { SkillError } from "../../shared/errors.ts";
import { editLists, type ListEdit } from "./edit-lists.ts";
import { type PolicyChange, policyEdits } from "./policy-change.ts";
import { yamlTokens } from "./yaml-tokens.ts";

/**
 * The text of a configuration file after a change; the same text if nothing has to change. The result is checked: its
 * content must equal the edited content, and every comment must be kept. `file` is for messages.
 */
export function changeText(
  text: string,
  file: string,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): string {
  const before = checkConfig(text, file);
  if (Array.isArray(before)) throw new SkillError("CONFIG_INVALID", tellProblems(before));
  const edits = policyEdits(before, change, switchOf);
  if (edits.length === 0) return text;
  const result = editLists(text, edits);
  if (
    isSameContent(checkConfig(result, file), applyEdits(before, edits)) &&
    isDeepStrictEqual(comments(result), comments(text))
  )
    return result;
  const where = edits.map(({ path }) => path.join(".")).join(" and ");
  throw new SkillError(
    "CONFIG_INVALID",
    `${file} cannot be edited without changing other parts of it; change ${where} by hand.`,
  );
}

function comments(text: string): string[] {
  return yamlTokens(text)
    .flatMap((token) => (token.kind === "comment" ? [token.text] : []))
    .sort();
}

/** The expected content: the edits applied to the parsed file, not to its text. */
function applyEdits(config: ConfigFile, edits: readonly ListEdit[]): unknown {
  const result: Record<string, Record<string, unknown[]>> = structuredClone(config) as never;
  for (const { path, remove, add } of edits) {
    const [outer, inner] = path;
    const list = (result[outer]?.[inner] ?? []).filter((_, place) => !remove.includes(place));
    result[outer] = { ...result[outer], [inner]: add === undefined ? list : [...list, add] };
  }
  return result;
}

/** An empty list or mapping counts as absent. */
function isSameContent(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const entries = Object.entries(value)
    .map(([key, entry]) => [key, withoutEmpty(entry)] as const)
    .filter(([, entry]) => entry !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
