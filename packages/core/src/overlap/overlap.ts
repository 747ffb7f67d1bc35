import { generalRarity } from "../search/text/general-rarity.ts";
import { isPair, tokenize } from "../search/text/tokenize.ts";
import { compareText } from "../shared/fold.ts";

/** Without the body: an agent chooses by name and description. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/** Words that descriptions begin with, which the table of words in general does not know as empty. */
const LEAD = new Set(tokenize("asks help invoke skill such trigger triggers user want wants when whenever"));
/** Words that are more common than this in general say nothing about a task. */
const EMPTY = 1.5;
/** From this rarity on a word counts fully. */
const FULL = 5;

/** Quoted text: descriptions quote what a user would say. */
const QUOTED =
  /"([^"\n]{3,80})"|“([^”\n]{3,80})”|「([^」\n]{2,40})」|『([^』\n]{2,40})』|`([^`\n]{3,80})`|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,80})['’](?![\p{L}\p{N}])/gu;

/** Each once: words of name and description, and quoted phrases. */
function claimsOf({ name, description }: Described): Set<string> {
  const claims = new Set(tokenize(`${name} ${description}`).filter((word) => weightOf(word) > 0));
  for (const phrase of quotedPhrases(description)) claims.add(phraseClaim(phrase));
  return claims;
}

/** Of two or more words; a single quoted word counts as a word. */
function quotedPhrases(description: string): string[] {
  return Array.from(description.matchAll(QUOTED), (found) => found.slice(1).find(Boolean) ?? "").filter(
    (phrase) => tokenize(phrase).length > 1,
  );
}

/** Skills that quote the same phrase wait for the same request. */
function phraseClaim(phrase: string): string {
  return `"${tokenize(phrase).join(" ")}"`;
}

/** By how rare the word is in general; a quoted phrase counts fully. */
function weightOf(claim: string): number {
  if (claim.startsWith('"')) return 1;
  if (LEAD.has(claim)) return 0;
  return Math.min(1, Math.max(0, (generalRarity(claim) - EMPTY) / (FULL - EMPTY)));
}

/** A claim of this many skills has half the weight. The catalog's size does not count: other skills change no pair. */
const HALF = 30;
/** A claim of more skills than this does not make a pair by itself; else the work would grow with their square. */
const MAX_HAVING = 100;
/** A pair needs this many common claims, because two short texts can be similar by chance. */
const MIN_SHARED = 4;

type Having = ReadonlyMap<string, number>;

function countClaims(all: readonly ReadonlySet<string>[]): Having {
  const having = new Map<string, number>();
  for (const claims of all) for (const claim of claims) having.set(claim, (having.get(claim) ?? 0) + 1);
  return having;
}

/** The cosine of two sets of claims, where a rarer claim weighs more. Pairs are found by their rare claims. */
function similarClaims(
  all: readonly ReadonlySet<string>[],
  having: Having,
  tell: (a: number, b: number, similarity: number) => void,
): void {
  const weights = new Map(
    Array.from(having, ([claim, count]) => [claim, weightOf(claim) / (1 + count / HALF)]),
  );
  const weigh = (claims: Iterable<string>): number => {
    let sum = 0;
    for (const claim of claims) sum += weights.get(claim) ?? 0;
    return sum;
  };
  const isRare = (claim: string): boolean => (having.get(claim) ?? 0) <= MAX_HAVING;
  const totals = all.map(weigh);
  /** The most that a pair can share beyond the rare claims. */
  const common = all.map((claims) => weigh([...claims].filter((claim) => !isRare(claim))));
  const owners = new Map(Array.from(having.keys(), (claim): [string, number[]] => [claim, []]));
  const shared = new Float64Array(all.length);
  all.forEach((claims, b) => {
    const touched: number[] = [];
    for (const claim of [...claims].filter(isRare)) {
      const before = owners.get(claim) ?? [];
      for (const a of before) {
        if (shared[a] === 0) touched.push(a);
        shared[a] = (shared[a] ?? 0) + (weights.get(claim) ?? 0);
      }
      before.push(b);
    }
    for (const a of touched) {
      const size = Math.sqrt((totals[a] ?? 0) * (totals[b] ?? 0));
      const most = (shared[a] ?? 0) + Math.min(common[a] ?? 0, common[b] ?? 0);
      shared[a] = 0;
      if (most < THRESHOLD * size) continue;
      const both = [...(all[a] ?? [])].filter((claim) => claims.has(claim));
      const similarity = Math.min(1, weigh(both) / size);
      if (similarity >= THRESHOLD && both.length >= MIN_SHARED) tell(a, b, similarity);
    }
  });
}

/** Nobody reads a longer list. */
const MAX_SHOWN = 6;
const WRITTEN = /[\p{L}\p{N}\p{M}]+/gu;

/** As the first writes them: quoted phrases, then words, rarest first. */
function sharedWords(a: Described, b: Described, having: Having): string[] {
  const own = claimsOf(a);
  const shared = new Set([...claimsOf(b)].filter((claim) => own.has(claim)));
  const phrases = quotedPhrases(a.description).filter((phrase) => shared.has(phraseClaim(phrase)));
  /** As shown: how many skills have it. */
  const shown = new Map<string, number>();
  for (const [word] of `${a.name} ${a.description}`.matchAll(WRITTEN)) {
    let stretch = "";
    for (const claim of tokenize(word)) {
      const isPairOfTwo = isPair(claim) && [...claim].length === 2;
      const isShared = shared.delete(claim);
      // Overlapping pairs of characters are joined again.
      const isJoined = isShared && stretch !== "" && isPairOfTwo && stretch.at(-1) === claim[0];
      const before = isJoined ? stretch : "";
      stretch = isJoined ? stretch + claim.slice(1) : isShared && isPairOfTwo ? claim : "";
      if (!isShared) continue;
      const as = stretch || word.toLowerCase();
      const count = having.get(claim) ?? 0;
      shown.set(as, Math.min(shown.get(before || as) ?? count, count));
      if (isJoined) shown.delete(before);
    }
  }
  const words = [...shown].sort(([, one], [, other]) => one - other).map(([word]) => word);
  return [...new Set(phrases.map((phrase) => `"${phrase}"`)), ...words].slice(0, MAX_SHOWN);
}

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

/** In 8,062 real skills pairs from 0.7 on are nearly all editions or for one task; at 0.6 three in four, at 0.5 half. */
const THRESHOLD = 0.6;

/** Pairs of skills whose names and descriptions claim the same triggers. The order of the skills makes no difference. */
export function findOverlaps<S extends Described>(skills: readonly S[], limit: number): Overlaps<S> {
  // By name before path: the first of a group stands for it, and where a skill lies must not change what it claims.
  const groups = groupBy(
    skills.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.path, b.path)),
    ({ name, description }) => description.replaceAll(/\s+/g, " ").trim() || `no description: ${name}`,
  ).map((same) => groupBy(same, ({ name }) => name));
  const copies = groups.flat().filter((same) => same.length > 1);
  let pairCount = 0;
  let pairs: Pair<S>[] = [];
  const add = (one: S, other: S, overlap: number): void => {
    pairCount++;
    pairs.push(one.path < other.path ? { a: one, b: other, overlap } : { a: other, b: one, overlap });
    // So that memory does not grow with their number.
    if (pairs.length > 2 * limit + 100) pairs = strongest(pairs, limit);
  };
  // Skills with the same description and different names: each is paired with the first only, not with every other.
  const firsts = groups.map(([copiesOfFirst = [], ...others]) => {
    const first = copiesOfFirst[0] as S;
    for (const [other] of others) add(first, other as S, 1);
    return first;
  });
  // Copies count once, so that copying does not make a word common.
  const claims = firsts.map((skill) => claimsOf(skill));
  const having = countClaims(claims);
  similarClaims(claims, having, (a, b, overlap) =>
    add(firsts[a] as S, firsts[b] as S, Math.round(overlap * 1e4) / 1e4),
  );
  return {
    pairs: strongest(pairs, limit).map((pair) => ({ ...pair, words: sharedWords(pair.a, pair.b, having) })),
    pairCount,
    copies: copies.toSorted(([a], [b]) => compareText(a?.path ?? "", b?.path ?? "")).slice(0, limit),
    copyCount: copies.length,
  };
}

type Pair<S extends Described> = Omit<Overlap<S>, "words">;

function strongest<S extends Described>(pairs: readonly Pair<S>[], limit: number): Pair<S>[] {
  return pairs
    .toSorted(
      (x, y) => y.overlap - x.overlap || compareText(x.a.path, y.a.path) || compareText(x.b.path, y.b.path),
    )
    .slice(0, limit);
}

function groupBy<S>(items: readonly S[], keyOf: (item: S) => string): S[][] {
  return [...Map.groupBy(items, keyOf).values()];
}
