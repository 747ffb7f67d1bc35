import type { QueryOrder } from "./query-order.ts";
import type { Scorer } from "./score.ts";
import { BREAK, CLOSE, OPEN } from "./skill-words.ts";

/** One part of a skill's words: its name, its description or its body. */
export interface Part {
  /** Where the next part begins. */
  readonly end: number;
  /** How telling all its words are, and those of the query among them; repetitions count again. */
  readonly weight: number;
  readonly found: number;
  readonly foundWords: number;
  /** What the pairs of the query are worth that stand in it, each once. */
  readonly pairs: number;
  /** Words of the query that stand near each other, in any order. */
  readonly near: number;
  /** Pairs again, of the longest row of words that follow each other as in the query. */
  readonly run: number;
  /** The two best stretches between breaks, and the best for its length. */
  readonly stretch: number;
  readonly secondStretch: number;
  readonly density: number;
  /** Quoted phrases that the query has whole, and the best that it has in part. */
  readonly quoted: number;
  readonly bestQuoted: number;
  /** What stands at the beginning. */
  readonly beginning: number;
}

/** Words that stand within the first so many of a part say what it is about. */
const BEGINNING = 150;
/** Words are near each other that are less than so many apart. */
const NEAR = 6;

/** One pass with nothing but numbers: sixty candidates of a thousand words are read for every search. */
export function readPart(
  { index, rarity, places }: Scorer,
  from: number,
  until: number,
  last: number | undefined,
  query: QueryOrder,
): Part {
  const { items } = index.sequences;
  const { weights, pairs, countedWord, countedPair } = query;
  const size = weights.length;
  const partStamp = ++query.stamp;
  let stamp = ++query.stamp;
  let total = 0;
  let found = 0;
  let foundWords = 0;
  let pairWeight = 0;
  let near = 0;
  let run = 0;
  let bestRun = 0;
  let weight = 0;
  let lengthBefore = 0;
  let stretch = 0;
  let secondStretch = 0;
  let density = 0;
  let beginning = 0;
  let isQuoted = false;
  let quoteFound = 0;
  let quoteBefore = 0;
  let quoted = 0;
  let bestQuoted = 0;
  let placeBefore = -1;
  let foundAt = 0;
  let at = from;
  for (; at < until; at++) {
    const word = items[at] as number;
    if (word < 0) {
      run = 0;
      if (word === OPEN) {
        isQuoted = true;
        quoteFound = 0;
        quoteBefore = total;
      } else if (word === CLOSE) {
        isQuoted = false;
        const share = total > quoteBefore ? quoteFound / (total - quoteBefore) : 0;
        if (share > 0.99) quoted += quoteFound;
        if (quoteFound * share > bestQuoted) bestQuoted = quoteFound * share;
      } else {
        if (weight > stretch) {
          secondStretch = stretch;
          stretch = weight;
        } else if (weight > secondStretch) secondStretch = weight;
        const dense = weight / Math.sqrt(total - lengthBefore + 10);
        if (dense > density) density = dense;
        if (word === last) break;
        stamp = ++query.stamp;
        weight = 0;
        lengthBefore = total;
      }
      continue;
    }
    total += rarity[word] as number;
    const place = places[word] as number;
    if (place < 0) {
      run = 0;
      continue;
    }
    const worth = weights[place] as number;
    found += worth;
    foundWords++;
    if (isQuoted) quoteFound += worth;
    const counted = countedWord[place] as number;
    if (counted < stamp) {
      // Seen for the first time in this stretch; a stamp older than the part's means for the first time at all.
      if (counted < partStamp && at - from < BEGINNING) beginning += worth;
      countedWord[place] = stamp;
      weight += worth;
    }
    if (placeBefore >= 0 && placeBefore !== place && at - foundAt < NEAR)
      near += Math.min(worth, weights[placeBefore] as number) / (at - foundAt);
    placeBefore = place;
    foundAt = at;
    const next = at + 1 < until ? (items[at + 1] as number) : BREAK;
    const nextPlace = next >= 0 ? (places[next] as number) : -1;
    const pair = place * size + nextPlace;
    const pairWorth = nextPlace >= 0 ? (pairs[pair] as number) : 0;
    if (pairWorth === 0) {
      run = 0;
      continue;
    }
    run += pairWorth;
    if (run > bestRun) bestRun = run;
    if (countedPair[pair] !== partStamp) {
      countedPair[pair] = partStamp;
      pairWeight += pairWorth;
    }
  }
  return {
    end: at + 1,
    weight: total,
    found,
    foundWords,
    pairs: pairWeight,
    near,
    run: bestRun,
    stretch,
    secondStretch,
    density,
    quoted,
    bestQuoted,
    beginning,
  };
}
