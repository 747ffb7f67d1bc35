import type { Hits } from "../index/hits.ts";
import { BREAK, CLOSE, OPEN } from "../text/skill-words.ts";
import type { QueryOrder } from "./query-order.ts";

/** One part of a skill's words: its name, its description or its body. */
export interface Part {
  /** Where the next part begins. */
  readonly end: number;
  /** The summed weight of all its words, and of the query's words in it; repetitions count. */
  readonly mass: number;
  readonly found: number;
  readonly foundWords: number;
  /** The summed value of the query's word pairs in it, each counted once. */
  readonly pairs: number;
  /** Words of the query near each other, in any order. */
  readonly near: number;
  /** The value of the longest run of words in the same order as in the query. */
  readonly run: number;
  /** The two best stretches between breaks, and the highest density. */
  readonly stretch: number;
  readonly secondStretch: number;
  readonly density: number;
  /** Quoted phrases that the query contains completely, and the best partial one. */
  readonly quoted: number;
  readonly bestQuoted: number;
  /** The weight of words at its beginning. */
  readonly beginning: number;
}

/** Words within the first this many of a part say what it is about. */
const BEGINNING = 150;
/** Words closer than this are near each other. */
const NEAR = 6;

/** Reads from one hit to the mark `last`, or to the end. */
export function readPart(hits: Hits, from: number, last: number | undefined, query: QueryOrder): Part {
  const { items, positions, masses, count } = hits;
  const { weights, pairs, countedWord, countedPair } = query;
  const size = weights.length;
  const partStamp = ++query.stamp;
  const firstPosition = from > 0 ? (positions[from - 1] as number) : 0;
  const firstMass = from > 0 ? (masses[from - 1] as number) : 0;
  let stamp = ++query.stamp;
  let found = 0;
  let foundWords = 0;
  let pairWeight = 0;
  let near = 0;
  let run = 0;
  let bestRun = 0;
  let weight = 0;
  let stretchMass = firstMass;
  let stretch = 0;
  let secondStretch = 0;
  let density = 0;
  let beginning = 0;
  let isQuoted = false;
  let quoteFound = 0;
  let quoteMass = 0;
  let quoted = 0;
  let bestQuoted = 0;
  let placeBefore = -1;
  let positionBefore = 0;
  let at = from;
  for (; at < count; at++) {
    const place = items[at] as number;
    const position = positions[at] as number;
    const mass = masses[at] as number;
    if (place >= 0) {
      const worth = weights[place] as number;
      found += worth;
      foundWords++;
      if (isQuoted) quoteFound += worth;
      const counted = countedWord[place] as number;
      if (counted < stamp) {
        // First time in this stretch; a stamp older than the part's means first time in the part.
        if (counted < partStamp && position - firstPosition < BEGINNING) beginning += worth;
        countedWord[place] = stamp;
        weight += worth;
      }
      const distance = position - positionBefore;
      if (placeBefore >= 0 && placeBefore !== place && distance < NEAR)
        near += Math.min(worth, weights[placeBefore] as number) / distance;
      const pair = placeBefore * size + place;
      const pairWorth = placeBefore >= 0 && distance === 1 ? (pairs[pair] as number) : 0;
      if (pairWorth === 0) run = 0;
      else {
        run += pairWorth;
        if (run > bestRun) bestRun = run;
        if (countedPair[pair] !== partStamp) {
          countedPair[pair] = partStamp;
          pairWeight += pairWorth;
        }
      }
      placeBefore = place;
      positionBefore = position;
    } else if (place === OPEN) {
      isQuoted = true;
      quoteFound = 0;
      quoteMass = mass;
    } else if (place === CLOSE) {
      isQuoted = false;
      const share = mass > quoteMass ? quoteFound / (mass - quoteMass) : 0;
      if (share > 0.99) quoted += quoteFound;
      if (quoteFound * share > bestQuoted) bestQuoted = quoteFound * share;
    } else {
      if (weight > stretch) {
        secondStretch = stretch;
        stretch = weight;
      } else if (weight > secondStretch) secondStretch = weight;
      const dense = weight / Math.sqrt(mass - stretchMass + 10);
      if (dense > density) density = dense;
      if (place === last) break;
      if (place === BREAK) {
        stamp = ++query.stamp;
        weight = 0;
        stretchMass = mass;
      }
    }
  }
  return {
    end: at + 1,
    mass: (masses[Math.min(at, count - 1)] ?? 0) - firstMass,
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
