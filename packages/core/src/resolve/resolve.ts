import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import type { Entry } from "../catalog/snapshot.ts";
import { SkillError } from "../shared/errors.ts";
import { fewOf } from "../shared/few-of.ts";
import { nearest } from "../shared/nearest.ts";
import { quote, shorten } from "../shared/quote.ts";
import { DIALECT_NAMES } from "../skill/dialects.ts";

/** What a caller may name a skill by. */
export type Reference = { readonly name: string } | { readonly path: string } | { readonly id: string };

export interface ResolveOptions {
  readonly cwd: string;
  /** `nearest-in-repo`: only where all that the name could mean are the project's own. */
  readonly duplicates: "ambiguous" | "nearest" | "nearest-in-repo";
  /** Also skills that are switched off, not eligible or shadowed, where no active one has the name. */
  readonly includeInactive?: boolean;
}

/** One skill, or a clear error. Exact: nothing is guessed, no name is completed. */
export function resolveSkill(
  entries: readonly Entry[],
  reference: Reference,
  options: ResolveOptions,
): Entry {
  if ("path" in reference) return resolveByPath(entries, reference.path, options);
  if ("id" in reference) {
    const entry = entries.find(({ skill }) => skill.id === reference.id);
    if (!entry)
      throw new SkillError(
        "NOT_FOUND",
        `No skill has the id ${quote(reference.id)}; "knack list --json" shows all ids.`,
      );
    return usable(entry, options);
  }
  if (!reference.name) throw new SkillError("INVALID_PARAM", "Give the name, path or id of a skill.");
  return resolveByName(entries, reference.name, options);
}

function resolveByName(entries: readonly Entry[], given: string, options: ResolveOptions): Entry {
  const name = given.normalize("NFC");
  const named = entries.filter(({ skill }) => skill.name === name);
  const active = named.filter(({ status }) => status === "active");
  const candidates = active.length > 0 ? active : named;
  const [first] = candidates;
  if (!first) {
    const where = `"knack list" shows all skills.${meantName(name, entries)}`;
    throw new SkillError("NOT_FOUND", `No skill is called ${quote(name)}. ${where}`);
  }
  if (candidates.length === 1) return usable(first, options);
  const mayChoose =
    options.duplicates === "nearest" ||
    (options.duplicates === "nearest-in-repo" && candidates.every(({ skill }) => skill.scope === "repo"));
  if (mayChoose) {
    const [closest, second] = [...candidates].sort((a, b) => rank(a) - rank(b));
    if (closest && second && rank(closest) < rank(second)) return usable(closest, options);
  }
  const paths = candidates.map(({ skill }) => skill.path);
  const message = `${paths.length} skills are called ${quote(name)}; name one by its path:\n${fewOf(
    paths.map((path) => `  ${path}`),
    { separator: "\n", next: '"knack list --json" and skill_search show their paths' },
  )}`;
  throw new SkillError("AMBIGUOUS", message, paths);
}

/** A word for people about the name that was mistyped. Longer ones are no names, and comparing them would take time. */
export function meantName(name: string, entries: readonly Entry[]): string {
  if (name.length > MAX_NAME) return "";
  const names = entries.filter(({ status }) => status === "active").map(({ skill }) => skill.name);
  const meant = nearest(name, names, 2);
  return meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
}

const MAX_NAME = 64;

/** Closest to the working directory; on one level `.agents/skills` before `skills/` before the rest. */
function rank({ root, skill }: Entry): number {
  return root.distance * 4 + DIALECT_NAMES.indexOf(skill.dialect);
}

function resolveByPath(entries: readonly Entry[], given: string, options: ResolveOptions): Entry {
  const path = resolvePath(options.cwd, given);
  const file = basename(path) === "SKILL.md" ? path : join(path, "SKILL.md");
  // The folder's links are resolved and the file's are not: a linked SKILL.md is the skill of the folder it is in.
  const folder = dirname(file);
  const canonical = existsSync(folder) ? join(realpathSync(folder), "SKILL.md") : file;
  const entry = entries.find(({ skill }) => skill.path === canonical);
  if (!entry)
    throw new SkillError(
      "NOT_FOUND",
      `There is no skill in the catalog at ${shorten(path)}; "knack list" shows all skills.`,
    );
  return usable(entry, options);
}

function usable(entry: Entry, options: ResolveOptions): Entry {
  if (entry.status === "active" || options.includeInactive) return entry;
  throw new SkillError(
    "NOT_FOUND",
    `The skill ${quote(entry.skill.name)} is ${entry.status}: ${entry.reason}.`,
  );
}
