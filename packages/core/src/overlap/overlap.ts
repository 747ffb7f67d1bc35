import { compareText } from "../shared/compare-text.ts";
import { claimsOf, type Described } from "./claims.ts";
import { sharedWords } from "./shared-words.ts";
import { countClaims, similarClaims } from "./similar-claims.ts";

/** Two skills that claim the same triggers; `a` comes first by path. */
export interface Overlap<S extends Described = Described> {
  readonly a: S;
  readonly b: S;
  /** How much of what they claim is the same, between 0 and 1; a rare word counts more than a common one. */
  readonly overlap: number;
  /** The claims of both, as `a` writes them: phrases that both quote, then words, rarest first. */
  readonly words: readonly string[];
}

export interface Overlaps<S extends Described = Described> {
  /** Strongest first, then by paths. */
  readonly pairs: readonly Overlap<S>[];
  /** The number of all pairs, including those beyond the limit. */
  readonly pairCount: number;
  /** Groups with the same name and description, by path: one skill in several places. */
  readonly copies: readonly (readonly S[])[];
  /** The number of all such groups, including those beyond the limit. */
  readonly copyCount: number;
}

/**
 * The smallest overlap that is reported. In 8,062 real skills nearly all pairs from 0.7 on are editions of one skill or
 * two skills for one task; at 0.6 three in four are, at 0.5 half; at 0.4 most only share a subject or a template.
 */
const THRESHOLD = 0.6;

/** Pairs of skills whose names and descriptions claim the same triggers. The order of the skills makes no difference. */
export function findOverlaps<S extends Described>(skills: readonly S[], limit: number): Overlaps<S> {
  // By name before path: the first of a group stands for it, and where a skill lies must not change what it claims.
  const groups = groupBy(
    skills.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.path, b.path)),
    ({ name, description }) => oneSpaced(description) || `no description: ${name}`,
  ).map((same) => groupBy(same, ({ name }) => name));
  const copies = groups.flat().filter((same) => same.length > 1);
  const best = new Strongest<S>(limit);
  // Skills with the same description and different names: each is paired with the first only, not with every other.
  const firsts = groups.map(([copiesOfFirst = [], ...others]) => {
    const first = copiesOfFirst[0] as S;
    for (const [other] of others) best.add(first, other as S, 1);
    return first;
  });
  // Copies count once, so that copying does not make a word common.
  const claims = firsts.map((skill) => claimsOf(skill));
  const having = countClaims(claims);
  similarClaims(claims, having, THRESHOLD, (a, b, overlap) =>
    best.add(firsts[a] as S, firsts[b] as S, Math.round(overlap * 1e4) / 1e4),
  );
  return {
    pairs: best.sorted().map((pair) => ({ ...pair, words: sharedWords(pair.a, pair.b, having) })),
    pairCount: best.count,
    copies: copies.toSorted(([a], [b]) => compareText(a?.path ?? "", b?.path ?? "")).slice(0, limit),
    copyCount: copies.length,
  };
}

type Pair<S extends Described> = Omit<Overlap<S>, "words">;

/** Keeps the strongest pairs only, so that memory does not grow with their number. */
class Strongest<S extends Described> {
  readonly #limit: number;
  #kept: Pair<S>[] = [];
  count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(one: S, other: S, overlap: number): void {
    this.count++;
    this.#kept.push(one.path < other.path ? { a: one, b: other, overlap } : { a: other, b: one, overlap });
    if (this.#kept.length > 2 * this.#limit + 100) this.#kept = this.sorted();
  }

  sorted(): Pair<S>[] {
    return this.#kept
      .toSorted(
        (x, y) => y.overlap - x.overlap || compareText(x.a.path, y.a.path) || compareText(x.b.path, y.b.path),
      )
      .slice(0, this.#limit);
  }
}

function groupBy<S>(items: readonly S[], keyOf: (item: S) => string): S[][] {
  return [...Map.groupBy(items, keyOf).values()];
}

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
