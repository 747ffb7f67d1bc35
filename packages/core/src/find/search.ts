import type { SkillMetadata } from "../skill/schema.ts";
import { normalize } from "./normalize.ts";
import { rank } from "./rank.ts";
import { type QueryWords, rankFeatures } from "./rank-features.ts";
import { makeScorer, type Scorer, scoreWords, type Tally } from "./score.ts";
import { inSearchOrder } from "./search-order.ts";
import type { TextIndex } from "./text-index.ts";
import { tokenize } from "./tokenize.ts";
import { topOf } from "./top-of.ts";
import { type StandIn, showStandIn, Typos } from "./typos.ts";

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
  /** The words of the query that the skill has, as they were written; `deplyo→deploy` where one stood in for it. */
  readonly matched: readonly string[];
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
/** A request has fewer different words than this; a page that was pasted in may have more. */
const MAX_WORDS = 160;
const SENTENCES = /(?<=[.!?;:])\s+|\n+|[。！？；]/;

const ORDER: Readonly<Record<SearchReason, number>> = {
  exact_path: 0,
  exact_name: 1,
  prefix: 2,
  token_overlap: 3,
  body_match: 3,
};

/** Which skills may be found. */
type Accepts = (skill: SkillMetadata) => boolean;

interface Written {
  readonly word: string;
  readonly numbers: readonly number[];
  readonly standIns: readonly StandIn[];
}

interface Candidate {
  readonly skill: number;
  readonly score: number;
  readonly reason: SearchReason;
}

/** Search over the skills of one snapshot, in search order: ties are broken by number all the way. */
export class SkillSearch {
  readonly #skills: readonly SkillMetadata[];
  readonly #scorer: Scorer;
  /** Lower-cased names with their skills, in the order of the names. */
  readonly #names: readonly { readonly name: string; readonly skill: number }[];
  readonly #paths: ReadonlyMap<string, number>;
  readonly #tally: Tally;
  readonly #typos: Typos;

  constructor(skills: readonly SkillMetadata[], index: TextIndex) {
    this.#skills = skills;
    this.#scorer = makeScorer(index);
    this.#typos = new Typos(index);
    this.#tally = { scores: new Float32Array(skills.length), places: new Uint32Array(skills.length) };
    this.#names = skills
      .map(({ name }, skill) => ({ name: fold(name), skill }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.skill - b.skill));
    this.#paths = new Map(
      skills.flatMap(({ path, dir }, skill) => [[path, skill] as const, [dir, skill] as const]),
    );
  }

  search(query: string, limit: number, accepts?: Accepts): SearchResults {
    const text = query.slice(0, MAX_QUERY).toWellFormed();
    const named = this.#byName(text.trim(), accepts);
    const standIns = this.#typos.standIns(text);
    const asked = this.#queryWords(text, standIns);
    const scorer = standIns.size > 0 ? this.#trustingLess(standIns, this.#queryWords(text)) : this.#scorer;
    // One more than asked for, to know whether there are more.
    const worded = this.#byWords(scorer, asked, Math.max(limit + 1, CLOSE_LOOK), accepts);
    const seen = new Set(named.map(({ skill }) => skill));
    const found = [...named, ...worded.filter(({ skill }) => !seen.has(skill))].sort((a, b) =>
      this.#compare(a, b),
    );
    const written = found.length > 0 ? this.#writtenWords(text, standIns) : [];
    const results = found.slice(0, limit).map(({ skill, score, reason }) => ({
      skill: this.#skills[skill] as SkillMetadata,
      score: Math.round(score * 1e4) / 1e4,
      reason,
      matched: this.#matched(skill, written),
    }));
    return { results, count: results.length, truncated: found.length > results.length };
  }

  /** Skills that the query names: by path, by name, by the beginning of a name. */
  #byName(query: string, accepts: Accepts | undefined): Candidate[] {
    const found: Candidate[] = [];
    const add = (skill: number, reason: SearchReason, score: number): void => {
      if (accepts && !accepts(this.#skills[skill] as SkillMetadata)) return;
      found.push({ skill, score, reason });
    };
    const path = this.#paths.get(query.replace(/(?<=.)[/\\]$/, ""));
    if (path !== undefined) add(path, "exact_path", 1);
    const name = fold(query);
    if (name === "") return found;
    for (const entry of this.#startingWith(name)) {
      if (entry.skill === path) continue;
      const isWhole = entry.name === name;
      add(entry.skill, isWhole ? "exact_name" : "prefix", name.length / entry.name.length);
    }
    return found;
  }

  #byWords(scorer: Scorer, asked: QueryWords, count: number, accepts: Accepts | undefined): Candidate[] {
    const { scores, places } = this.#tally;
    const touched = scoreWords(scorer, this.#tellingWords(asked), this.#tally);
    const asking = accepts
      ? touched.filter((skill) => accepts(this.#skills[skill] as SkillMetadata))
      : touched;
    const ranked = rank(scorer, asked, topOf(asking, scores, count), this.#tally);
    const found = ranked.map(({ skill, score }): Candidate => {
      const inNameOrDescription = ((places[skill] ?? 0) & 0xffff) !== 0;
      return { skill, score, reason: inNameOrDescription ? "token_overlap" : "body_match" };
    });
    this.#clear(touched);
    return found;
  }

  /** The same scorer, in which words that were guessed and not written count less. */
  #trustingLess(standIns: StandIns, written: QueryWords): Scorer {
    const rarity = this.#scorer.rarity.slice();
    for (const { number } of standIns.values())
      if (!written.words.includes(number)) rarity[number] = (rarity[number] ?? 0) * GUESSED;
    return { ...this.#scorer, rarity };
  }

  #clear(touched: readonly number[]): void {
    for (const skill of touched) {
      this.#tally.scores[skill] = 0;
      this.#tally.places[skill] = 0;
    }
  }

  #queryWords(text: string, standIns: StandIns = NONE): QueryWords {
    const { words } = this.#scorer.index;
    const places = new Map<number, number>();
    const sentences: number[][] = [];
    for (const sentence of text.split(SENTENCES)) {
      const own: number[] = [];
      for (const word of tokenize(sentence)) {
        const number = standIns.get(word)?.number ?? words.get(word);
        if (number === undefined) continue;
        const place = places.get(number) ?? places.size;
        if (place >= MAX_WORDS) continue;
        places.set(number, place);
        own.push(place);
      }
      if (own.length > 0) sentences.push(own);
    }
    return { words: [...places.keys()], sentences };
  }

  /**
   * The words to look for candidates by. Words like "the" tell no skill from another, and reading who has them takes
   * longest; they count in the close look alone, unless the query has no others. A small catalog has no such words.
   */
  #tellingWords({ words }: QueryWords): readonly number[] {
    const { index, size } = this.#scorer;
    const having = (word: number): number => (index.starts[word + 1] ?? 0) - (index.starts[word] ?? 0);
    const telling = words.filter((word) => having(word) <= size * 0.5);
    return telling.length > 0 ? telling : words;
  }

  /** For training: the candidates of a query with their features. */
  lookClosely(query: string): { candidates: readonly number[]; rows: Float64Array } {
    const asked = this.#queryWords(query.slice(0, MAX_QUERY).toWellFormed());
    const touched = scoreWords(this.#scorer, this.#tellingWords(asked), this.#tally);
    const candidates = topOf(touched, this.#tally.scores, CLOSE_LOOK);
    const rows = rankFeatures(this.#scorer, asked, candidates, this.#tally);
    this.#clear(touched);
    return { candidates, rows };
  }

  /** The words of a query as they were written, each once, with their numbers and with what stands in for them. */
  #writtenWords(text: string, standIns: StandIns): Written[] {
    const { words } = this.#scorer.index;
    const written = new Set(Array.from(text.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu), ([word]) => word));
    return [...written].map((word) => {
      const parts = tokenize(word);
      return {
        word,
        numbers: parts.flatMap((part) => words.get(part) ?? []),
        standIns: parts.flatMap((part) => standIns.get(part) ?? []),
      };
    });
  }

  #matched(skill: number, written: readonly Written[]): string[] {
    const { index } = this.#scorer;
    const has = (number: number): boolean => hasEntry(index, number, skill);
    return written.flatMap(({ word, numbers, standIns }) => [
      ...(numbers.some(has) ? [word] : []),
      ...standIns
        .filter(({ number }) => has(number))
        .map((standIn) => showStandIn(standIn, this.#skills[skill] as SkillMetadata)),
    ]);
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
    return inSearchOrder(this.#skills[a.skill] as SkillMetadata, this.#skills[b.skill] as SkillMetadata);
  }
}

type StandIns = ReadonlyMap<string, StandIn>;
const NONE: StandIns = new Map();
/** A word that was guessed counts less than one that was written. */
const GUESSED = 0.6;

/** Names are compared without regard to case and outer space, and in one Unicode form. */
function fold(name: string): string {
  return normalize(name.trim(), "NFC").toLowerCase();
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
