import type { Catalog, Entry, SkillScope } from "@knack/core";
import { normalize } from "@knack/core/internal";
import type { SearchReply } from "./search/search-messages.ts";

/** Which skills to show. */
export interface Wanted {
  readonly query: string;
  readonly scope: SkillScope | undefined;
  /** Include skills that cannot be used now. */
  readonly showsAll: boolean;
  /** Paths of skills that were switched in this picker; they stay visible, so that they can be switched back. */
  readonly kept: ReadonlySet<string>;
}

export interface Row {
  readonly path: string;
  /** Whether it is relevant; weaker matches are dimmed. */
  readonly fits: boolean;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** Whether the search has more results. */
  readonly truncated: boolean;
}

/**
 * The rows for a query. Without words: all skills in catalog order. With words: the search results, then unusable skills
 * that contain the words (a search omits those). If nothing is relevant, as in the middle of a word, or the search is not
 * ready (`found` is undefined): the skills that contain the text.
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
  // Skills that contain the exact text come before weaker matches.
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
