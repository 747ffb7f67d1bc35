import { claimsOf, type Described } from "./claims.ts";
import { sharedWords } from "./shared-words.ts";
import { countClaims, similarClaims } from "./similar-claims.ts";

/** Two skills that claim the same triggers; `a` is the first in the order of paths. */
export interface Overlap<S extends Described = Described> {
  readonly a: S;
  readonly b: S;
  /** How much of what they claim is the same, between 0 and 1; a rare word counts more than a common one. */
  readonly overlap: number;
  /** What both say, as `a` writes it: phrases that both quote, then words from the rarest on. */
  readonly words: readonly string[];
}

export interface Overlaps<S extends Described = Described> {
  /** Strongest first, then by paths. */
  readonly pairs: readonly Overlap<S>[];
  /** How many pairs there are, also beyond the limit. */
  readonly pairCount: number;
  /** The same name and description more than once, by paths: one skill in several places. */
  readonly copies: readonly (readonly S[])[];
  /** How many such groups there are, also beyond the limit. */
  readonly copyCount: number;
}

/**
 * From here on two descriptions claim the same triggers. Read in 8,062 real skills: from 0.7 on nearly all pairs are
 * editions of one skill or two skills for one task, at 0.6 three in four are, at 0.5 half; at 0.4 most are neighbours that
 * share a subject or a template.
 */
const THRESHOLD = 0.6;

/** Pairs of skills whose names and descriptions claim the same triggers. The order of the skills makes no difference. */
export function findOverlaps<S extends Described>(skills: readonly S[], limit: number): Overlaps<S> {
  const groups = groupBy(
    skills.toSorted((a, b) => comparePaths(a, b)),
    ({ name, description }) => oneSpaced(description) || `no description: ${name}`,
  ).map((same) => groupBy(same, ({ name }) => name));
  const copies = groups.flat().filter((same) => same.length > 1);
  const best = new Strongest<S>(limit);
  // Of skills with one description and several names each is paired with the first of them, not with every other.
  const firsts = groups.map(([copiesOfFirst = [], ...others]) => {
    const first = copiesOfFirst[0] as S;
    for (const [other] of others) best.add({ a: first, b: other as S, overlap: 1 });
    return first;
  });
  // Copies count once, so that a word does not become common by being copied.
  const claims = firsts.map((skill) => claimsOf(skill));
  const having = countClaims(claims);
  similarClaims(claims, having, THRESHOLD, (a, b, overlap) =>
    best.add({ a: firsts[a] as S, b: firsts[b] as S, overlap: Math.round(overlap * 1e4) / 1e4 }),
  );
  return {
    pairs: best.sorted().map((pair) => ({ ...pair, words: sharedWords(pair.a, pair.b, having) })),
    pairCount: best.count,
    copies: copies.toSorted(([a], [b]) => comparePaths(a as S, b as S)).slice(0, limit),
    copyCount: copies.length,
  };
}

type Pair<S extends Described> = Omit<Overlap<S>, "words">;

/** The strongest pairs of any number, in the memory of a few. */
class Strongest<S extends Described> {
  readonly #limit: number;
  #kept: Pair<S>[] = [];
  count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(pair: Pair<S>): void {
    this.count++;
    this.#kept.push(pair);
    if (this.#kept.length > 2 * this.#limit + 100) this.#kept = this.sorted();
  }

  sorted(): Pair<S>[] {
    return this.#kept
      .toSorted((x, y) => y.overlap - x.overlap || comparePaths(x.a, y.a) || comparePaths(x.b, y.b))
      .slice(0, this.#limit);
  }
}

function groupBy<S>(items: readonly S[], keyOf: (item: S) => string): S[][] {
  return [...Map.groupBy(items, keyOf).values()];
}

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function comparePaths(a: Described, b: Described): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
