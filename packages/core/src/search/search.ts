import type { SkillMetadata, SkillScope } from "../skill/schema.ts";
import type { TextIndex } from "./index/text-index.ts";
import { languagePreference } from "./project-languages.ts";
import { NamedSkills } from "./query/named-skills.ts";
import { matchedWords, type QueryWords, queryWords, writtenWords } from "./query/query-words.ts";
import { Typos } from "./query/typos.ts";
import { Scores, topOf } from "./ranking/candidates.ts";
import { minAmong } from "./ranking/fit-features.ts";
import { HitReader } from "./ranking/order-features.ts";
import { rank } from "./ranking/rank.ts";
import { IN_NAME_OR_DESCRIPTION } from "./text/skill-words.ts";

/**
 * Why a skill was found. A path ranks before a name, a name before a prefix, and that before words;
 * `body_match` means that only the body has the words.
 */
export const SEARCH_REASONS = ["exact_path", "exact_name", "prefix", "token_overlap", "body_match"] as const;
export type SearchReason = (typeof SEARCH_REASONS)[number];

export interface SearchResult {
  readonly skill: SkillMetadata;
  /** Orders skills with the same reason; between 0 and 1. */
  readonly score: number;
  readonly reason: SearchReason;
  /**
   * The words of the query that the skill has where `reason` says, as written, without function words; `deplyo→deploy` for a
   * corrected one, `Rechnung→invoice` for a translated one.
   */
  readonly matched: readonly string[];
  /** Whether the skill fits the query; otherwise it is a weaker match. */
  readonly fits: boolean;
  /** Other skills with its name and its description, if they were asked for as one result. */
  readonly copies?: readonly SkillMetadata[];
}

/** A result with what several phrasings need to decide together what fits. */
export interface JudgedResult extends SearchResult {
  /** The probability that the skill is about what was asked for; 1 if it fits whatever the figures say. */
  readonly likelihood: number;
}

export interface SearchLimits {
  readonly limit: number;
  /** The absolute path that the query means, if it is one: that skill comes first. */
  readonly path?: string | undefined;
  /** Only these skills; the others do not affect the result. */
  readonly accepts?: ((skill: SkillMetadata) => boolean) | undefined;
  /** After those that fit, and at least five: skills that other evidence finds. For a reader who judges all of them. */
  readonly isVaried?: boolean | undefined;
  /** Another phrasing of a query: it names no skill, and that it is short does not mean that each word was chosen. */
  readonly isPhrasing?: boolean | undefined;
}

export interface SearchResults<Result extends SearchResult = SearchResult> {
  /** Best first, weaker matches included. */
  readonly results: readonly Result[];
  readonly count: number;
  /** How many of the results fit; 0 means that nothing fits. */
  readonly fitting: number;
  /** Whether more skills fit than `results` has. */
  readonly truncated: boolean;
  /** Nothing fitted the query as it is written, in another language: these were found by English words for its words. */
  readonly translated?: true | undefined;
  /** Only names and descriptions were searched, because the index of the texts is still being made. */
  readonly partial?: true | undefined;
}

/** More text does not improve the search; it is cut, never refused. */
const MAX_QUERY = 8_000;
/** Number of candidates to rerank. */
export const CANDIDATES = 60;
/** The least score of a skill that a sentence calls by its name. */
const CALLED = 0.9;
/** All fields of a skill. */
const ANYWHERE = -1;
const ORDER: Readonly<Record<SearchReason, number>> = {
  exact_path: 0,
  exact_name: 1,
  prefix: 2,
  token_overlap: 3,
  body_match: 3,
};

interface Candidate {
  readonly skill: number;
  readonly score: number;
  readonly reason: SearchReason;
  readonly fits: boolean;
  readonly likelihood: number;
  readonly meant?: number;
  readonly meantClose?: number;
}

/** Search over the skills of one snapshot. Skills are in search order, so ties are broken by number. */
export class SkillSearch {
  readonly #skills: readonly SkillMetadata[];
  readonly #named: NamedSkills;
  readonly #index: TextIndex;
  readonly #hits: HitReader;
  readonly #scores: Scores;
  readonly #typos: Typos;
  readonly #candidates: number;
  readonly #project: ReadonlySet<string>;

  /** `maxLimit`: the largest limit that will be used; `project`: the languages of the project at hand. */
  constructor(
    skills: readonly SkillMetadata[],
    index: TextIndex,
    maxLimit: number,
    project: ReadonlySet<string> = new Set(),
  ) {
    this.#project = project;
    this.#skills = skills;
    this.#named = new NamedSkills(skills);
    this.#index = index;
    this.#hits = new HitReader(index);
    this.#scores = new Scores(skills.length);
    this.#typos = new Typos(index);
    // Candidates are compared with each other, so their number must not depend on the limit; one more than the largest
    // limit, to know whether there are more.
    this.#candidates = Math.max(CANDIDATES, maxLimit + 1);
  }

  /** From this likelihood on, as the mean over several phrasings, a skill fits. */
  get leastLikelihood(): number {
    return minAmong(this.#skills.length, true);
  }

  search(
    query: string,
    { limit, path, accepts, isVaried = false, isPhrasing = false }: SearchLimits,
  ): SearchResults<JudgedResult> {
    const text = query.slice(0, MAX_QUERY).toWellFormed();
    const isAccepted = accepts && ((skill: number) => accepts(this.#skills[skill] as SkillMetadata));
    const named = isPhrasing ? [] : this.#byName(text.trim(), path, isAccepted);
    const standIns = this.#typos.standIns(text);
    const preference = languagePreference(text, this.#project);
    const preferenceFor = preference && ((skill: number) => preference(this.#skills[skill] as SkillMetadata));
    const asked = queryWords(text, this.#index, standIns);
    const worded = this.#byWords(
      isPhrasing ? { ...asked, isShort: false } : asked,
      isAccepted,
      preferenceFor,
    );
    if (!isPhrasing) named.push(...this.#called(text, named, worded, isAccepted));
    const seen = new Set(named.map(({ skill }) => skill));
    const ordered = [...named, ...worded.filter(({ skill }) => !seen.has(skill))].sort(compare);
    const found = isVaried ? varied(ordered) : ordered;
    const index = this.#index;
    const written = found.length > 0 ? writtenWords(text, index, standIns) : [];
    const results = found
      .slice(0, limit)
      .map(({ skill: number, score, reason, fits, likelihood }): JudgedResult => {
        const skill = this.#skills[number] as SkillMetadata;
        const fields = reason === "token_overlap" ? IN_NAME_OR_DESCRIPTION : ANYWHERE;
        const matched = matchedWords(written, index, number, skill, fields);
        return { skill, score: rounded(score), matched, reason, fits, likelihood: rounded(likelihood) };
      });
    return {
      results,
      count: results.length,
      fitting: results.filter(({ fits }) => fits).length,
      truncated: found.slice(limit).some(({ fits }) => fits),
    };
  }

  #byName(
    query: string,
    path: string | undefined,
    isAccepted: ((skill: number) => boolean) | undefined,
  ): Candidate[] {
    const named = this.#named.find(query, path);
    const accepted = isAccepted ? named.filter(({ skill }) => isAccepted(skill)) : named;
    return accepted.map((candidate) => ({ ...candidate, fits: true, likelihood: 1 }));
  }

  /** The skills that a sentence calls by name. Of several with one name, or several names, the other words decide. */
  #called(
    text: string,
    named: readonly Candidate[],
    worded: readonly Candidate[],
    isAccepted: ((skill: number) => boolean) | undefined,
  ): Candidate[] {
    const called = this.#named.calledIn(text);
    for (const { skill } of named) called.delete(skill);
    return [...called]
      .filter((skill) => !isAccepted || isAccepted(skill))
      .map((skill) => {
        const byWords = worded.find((candidate) => candidate.skill === skill)?.score ?? 0;
        const score = CALLED + (1 - CALLED) * byWords;
        return { skill, reason: "exact_name", score, fits: true, likelihood: 1 };
      });
  }

  #byWords(
    asked: QueryWords,
    isAccepted: ((skill: number) => boolean) | undefined,
    preferenceFor: ((skill: number) => number) | undefined,
  ): Candidate[] {
    this.#scores.add(this.#index, asked);
    const candidates = topOf(this.#scores.meant, this.#candidates, isAccepted);
    const ranked = rank(this.#index, this.#hits, asked, candidates, this.#scores, preferenceFor);
    this.#scores.clear();
    return ranked.map(({ isClose, ...candidate }) => ({
      ...candidate,
      reason: isClose ? "token_overlap" : "body_match",
    }));
  }
}

/** Sums of fractions differ in the last digits by the order of what they are made of. */
const rounded = (share: number): number => Math.round(share * 1e4) / 1e4;

/** So many come as they are ordered, and then so many by each other evidence. */
const AS_ORDERED = 5;
const BY_OTHERS = 3;

/**
 * The ranking looks at the words of a request, and for one in unusual words at the wrong ones. So after its best, skills come by
 * what the request means: in turn by all of a skill's text and by its name and description alone.
 */
function varied(ordered: readonly Candidate[]): Candidate[] {
  const fitting = ordered.findLastIndex(({ fits }) => fits) + 1;
  const first = ordered.slice(0, Math.max(AS_ORDERED, fitting));
  const rest = ordered.slice(first.length);
  const by = (value: (candidate: Candidate) => number): Candidate[] =>
    rest.toSorted((a, b) => value(b) - value(a)).slice(0, BY_OTHERS);
  const anywhere = by(({ meant = 0 }) => meant);
  const close = by(({ meantClose = 0 }) => meantClose);
  const others = anywhere.flatMap((one, at) => [one, close[at] ?? one]);
  return [...new Set([...first, ...others, ...rest])];
}

/** By reason, then score, then search order. */
function compare(a: Candidate, b: Candidate): number {
  if (ORDER[a.reason] !== ORDER[b.reason]) return ORDER[a.reason] - ORDER[b.reason];
  return b.score - a.score || a.skill - b.skill;
}

const SCOPES: readonly SkillScope[] = ["repo", "user", "bundled"];

/** The order of equally good skills: by scope, then by path. */
export function inSearchOrder(one: SkillMetadata, other: SkillMetadata): number {
  if (one.scope !== other.scope) return SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope);
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
