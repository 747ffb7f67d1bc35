import type { SkillMetadata, SkillScope } from "../skill/schema.ts";
import { IN_NAME_OR_DESCRIPTION } from "./fields.ts";
import { type KnownShare, knownShare } from "./fit.ts";
import { type QueryWords, queryWords } from "./query-words.ts";
import { rank } from "./rank.ts";
import { rankFeatures } from "./rank-features.ts";
import { makeScorer, type Scorer, scoreWords, type Tally } from "./score.ts";
import type { TextIndex } from "./text-index.ts";
import { tokenize } from "./tokenize.ts";
import { topOf } from "./top-of.ts";

/**
 * Why a skill was found (document 004 §5.5). A path comes before a name, a name before the beginning of one, and that
 * before words; `body_match` says that the words were found in the body alone.
 */
export type SearchReason = "exact_path" | "exact_name" | "prefix" | "token_overlap" | "body_match";

export interface SearchResult {
  readonly skill: SkillMetadata;
  /** Orders skills of one kind of reason; between 0 and 1. */
  readonly score: number;
  readonly reason: SearchReason;
  /** The words of the query that the skill has, as they were written. */
  readonly matched: readonly string[];
  /** Whether the skill fits the query, or is merely near; those that do not fit are shown only on request. */
  readonly fits: boolean;
}

export interface SearchOptions {
  readonly limit: number;
  readonly scope?: SkillScope | undefined;
  /** Also what is merely near. */
  readonly all?: boolean | undefined;
}

export interface SearchResults {
  readonly results: readonly SearchResult[];
  readonly count: number;
  /** Whether more skills fit than were asked for. */
  readonly truncated: boolean;
}

/** A longer text says no more about what is wanted; it is cut, never refused. */
const MAX_QUERY = 8_000;
/** So many of the best by words alone are looked at closely. */
const CLOSE_LOOK = 60;
const ORDER: Readonly<Record<SearchReason, number>> = {
  exact_path: 0,
  exact_name: 1,
  prefix: 2,
  token_overlap: 3,
  body_match: 3,
};
const SCOPES: readonly SkillScope[] = ["repo", "user", "bundled"];

interface Written {
  readonly word: string;
  readonly numbers: readonly number[];
}

interface Candidate {
  readonly skill: number;
  readonly score: number;
  readonly reason: SearchReason;
  readonly fits: boolean;
}

/** Search over the skills of one snapshot. */
export class SkillSearch {
  readonly #skills: readonly SkillMetadata[];
  readonly #scorer: Scorer;
  /** Lower-cased names with their skills, in the order of the names. */
  readonly #names: readonly { readonly name: string; readonly skill: number }[];
  readonly #paths: ReadonlyMap<string, number>;
  readonly #tally: Tally;

  constructor(skills: readonly SkillMetadata[], index: TextIndex) {
    this.#skills = skills;
    this.#scorer = makeScorer(index);
    this.#tally = { scores: new Float32Array(skills.length), places: new Uint16Array(skills.length) };
    this.#names = skills
      .map(({ name }, skill) => ({ name: fold(name), skill }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.skill - b.skill));
    this.#paths = new Map(
      skills.flatMap(({ path, dir }, skill) => [[path, skill] as const, [dir, skill] as const]),
    );
  }

  search(query: string, { limit, scope, all = false }: SearchOptions): SearchResults {
    const text = query.slice(0, MAX_QUERY).toWellFormed();
    const named = this.#byName(text.trim(), scope);
    const asked = queryWords(text, this.#scorer.index);
    const worded = this.#byWords(asked, Math.max(limit, CLOSE_LOOK), scope);
    const seen = new Set(named.map(({ skill }) => skill));
    const shown = worded.filter(({ skill, fits }) => (fits || all) && !seen.has(skill));
    const found = [...named, ...shown].sort((a, b) => this.#compare(a, b));
    const written = found.length > 0 ? this.#writtenWords(text) : [];
    const results = found.slice(0, limit).map(({ skill, score, reason, fits }) => ({
      skill: this.#skills[skill] as SkillMetadata,
      score: Math.round(score * 1e4) / 1e4,
      reason,
      matched: this.#matched(skill, written),
      fits,
    }));
    return { results, count: results.length, truncated: found.length > results.length };
  }

  /** Skills that the query names: by path, by name, by the beginning of a name. */
  #byName(query: string, scope: SkillScope | undefined): Candidate[] {
    const found: Candidate[] = [];
    const add = (skill: number, reason: SearchReason, score: number): void => {
      if (scope && this.#skills[skill]?.scope !== scope) return;
      if (!found.some((candidate) => candidate.skill === skill))
        found.push({ skill, score, reason, fits: true });
    };
    const path = this.#paths.get(query.replace(/(?<=.)[/\\]$/, ""));
    if (path !== undefined) add(path, "exact_path", 1);
    const name = fold(query);
    if (name === "") return found;
    for (const entry of this.#startingWith(name)) {
      const isWhole = entry.name === name;
      add(entry.skill, isWhole ? "exact_name" : "prefix", name.length / entry.name.length);
    }
    return found;
  }

  #byWords(asked: QueryWords, count: number, scope: SkillScope | undefined): Candidate[] {
    const { scores, places } = this.#tally;
    const touched = scoreWords(this.#scorer, asked.words, this.#tally);
    const inScope = scope ? touched.filter((skill) => this.#skills[skill]?.scope === scope) : touched;
    const ranked = rank(this.#scorer, asked, topOf(inScope, scores, count), this.#tally);
    const found = ranked.map(({ skill, score, fits }): Candidate => {
      const inNameOrDescription = ((places[skill] ?? 0) & IN_NAME_OR_DESCRIPTION) !== 0;
      return { skill, score, reason: inNameOrDescription ? "token_overlap" : "body_match", fits };
    });
    this.#clear(touched);
    return found;
  }

  #clear(touched: readonly number[]): void {
    for (const skill of touched) {
      this.#tally.scores[skill] = 0;
      this.#tally.places[skill] = 0;
    }
  }

  /** For training: the candidates of a query with their features. */
  lookClosely(query: string): { candidates: readonly number[]; rows: Float64Array; known: KnownShare } {
    const asked = queryWords(query.slice(0, MAX_QUERY).toWellFormed(), this.#scorer.index);
    const touched = scoreWords(this.#scorer, asked.words, this.#tally);
    const candidates = topOf(touched, this.#tally.scores, CLOSE_LOOK);
    const rows = rankFeatures(this.#scorer, asked, candidates, this.#tally);
    this.#clear(touched);
    return { candidates, rows, known: knownShare(this.#scorer, asked) };
  }

  /** The words of a query as they were written, each once, with their numbers. */
  #writtenWords(text: string): Written[] {
    const { words } = this.#scorer.index;
    const written = new Set(Array.from(text.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu), ([word]) => word));
    return [...written].map((word) => ({
      word,
      numbers: tokenize(word).flatMap((part) => words.get(part) ?? []),
    }));
  }

  #matched(skill: number, written: readonly Written[]): string[] {
    const { index } = this.#scorer;
    return written
      .filter(({ numbers }) => numbers.some((number) => hasEntry(index, number, skill)))
      .map(({ word }) => word);
  }

  #startingWith(name: string): { readonly name: string; readonly skill: number }[] {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#names[middle]?.name ?? "") < name) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#names[end]?.name.startsWith(name)) end++;
    return this.#names.slice(low, end);
  }

  /** Reason, then score, then scope, then path. */
  #compare(a: Candidate, b: Candidate): number {
    if (ORDER[a.reason] !== ORDER[b.reason]) return ORDER[a.reason] - ORDER[b.reason];
    if (a.score !== b.score) return b.score - a.score;
    const one = this.#skills[a.skill] as SkillMetadata;
    const other = this.#skills[b.skill] as SkillMetadata;
    if (one.scope !== other.scope) return SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope);
    return one.path < other.path ? -1 : 1;
  }
}

/** Names are compared without regard to case and outer space, and in one Unicode form. */
function fold(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** Entries of a word are in the order of the skills. */
function hasEntry(index: TextIndex, word: number, skill: number): boolean {
  const end = index.starts[word + 1] ?? 0;
  let low = index.starts[word] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index.skills[middle] ?? 0) < skill) low = middle + 1;
    else high = middle;
  }
  return low < end && index.skills[low] === skill;
}
