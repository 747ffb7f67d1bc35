import type { Catalog, Entry, SkillScope } from "@knack/core";
import { normalize } from "@knack/core/internal";
import type { SearchReply } from "./search/search-messages.ts";

/** Which skills a person wants to see. */
export interface Wanted {
  readonly query: string;
  readonly scope: SkillScope | undefined;
  /** Also what cannot be used now. */
  readonly showsAll: boolean;
  /** Paths of skills that were switched in this picker; they stay in view, so that they can be switched back. */
  readonly kept: ReadonlySet<string>;
}

export interface Row {
  readonly path: string;
  /** Whether it fits what was typed; others are shown as merely near. */
  readonly fits: boolean;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** Whether the search has more than it gives. */
  readonly truncated: boolean;
}

/**
 * The rows for what a person typed. Without words all skills, in the catalog's order. With words what the search found, in
 * its order; then, of those that a search leaves out because they cannot be used, the ones that contain the words. While
 * nothing fits, as in the middle of a word, and while there is no search yet (`found` is undefined), the skills that
 * contain what was typed.
 */
export function listEntries(catalog: Catalog, wanted: Wanted, found: SearchReply | undefined): Listing {
  const { scope, showsAll, kept } = wanted;
  const shown = (entry: Entry): boolean =>
    (!scope || entry.skill.scope === scope) &&
    (entry.status === "active" || showsAll || kept.has(entry.skill.path));
  const words = wordsOf(wanted.query);
  const entries = catalog.entries.filter(shown);
  if (words.length === 0) return { rows: entries.map((entry) => rowOf(entry, true)), truncated: false };

  const byPath = new Set(entries.map(({ skill }) => skill.path));
  const ranked = (found?.ranked ?? []).filter(({ path }) => byPath.has(path));
  const isFitting = ranked.some(({ fits }) => fits);
  const seen = new Set(ranked.map(({ path }) => path));
  const contained = entries
    .filter(({ status, skill }) => (status !== "active" || !isFitting) && !seen.has(skill.path))
    .filter((entry) => contains(entry, words))
    .map((entry) => rowOf(entry, !found));
  // What contains the very letters comes before what is merely near.
  const rows = isFitting ? [...ranked, ...contained] : [...contained, ...ranked];
  return { rows, truncated: found?.truncated ?? false };
}

function rowOf({ skill }: Entry, fits: boolean): Row {
  return { path: skill.path, fits };
}

/** Not `fold`, which takes ten times as long: thousands of descriptions are looked through at every key. */
function wordsOf(query: string): string[] {
  return normalize(query, "NFC")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function contains({ skill }: Entry, words: readonly string[]): boolean {
  const name = skill.name.toLowerCase();
  let description: string | undefined;
  return words.every((word) => {
    if (name.includes(word)) return true;
    description ??= skill.description.toLowerCase();
    return description.includes(word);
  });
}
