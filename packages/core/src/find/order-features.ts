import { BODY, BREAK, CLOSE, OPEN } from "./skill-words.ts";

/** What the order of a skill's words says about a query: features of one candidate, each a share. */
export const ORDER_FEATURES = [
  "namePairs",
  "descriptionPairs",
  "descriptionRun",
  "descriptionSentence",
  "quoted",
  "quotedBest",
  "bodyPairs",
  "bodyRun",
  "bodyLine",
  "bodyLineDensity",
  "bodyBeginning",
] as const;

/** The words of a query as a sequence is read: by their number. */
export interface QueryOrder {
  /** By number of a word: its place in the query, -1 where it is not in it. */
  readonly places: Int16Array;
  /** How telling each word is, by its place. */
  readonly weights: readonly number[];
  /** What a pair of words that stand next to each other is worth: a row for the first, a column for the second. */
  readonly pairs: Float32Array;
  readonly total: number;
  readonly totalPairs: number;
  /** Scratch, by place and by pair: the stretch or part in which it was last counted. */
  readonly countedWord: Int32Array;
  readonly countedPair: Int32Array;
  /** Counts stretches and parts over all candidates of the query. */
  stamp: number;
}

/** Words that stand within the first so many of a body say what it is about. */
const BEGINNING = 150;

/** Reads a skill's words in their order and puts what it finds into `row`, from `at` on. */
export function orderFeatures(
  sequence: Int32Array,
  rarity: Float32Array,
  query: QueryOrder,
  row: Float64Array,
  at: number,
): void {
  const name = readPart(sequence, 0, BREAK, rarity, query);
  const description = readPart(sequence, name.end, BODY, rarity, query);
  const body = readPart(sequence, description.end, undefined, rarity, query);
  const { total, totalPairs } = query;
  row[at] = name.pairs / totalPairs;
  row[at + 1] = description.pairs / totalPairs;
  row[at + 2] = description.run / totalPairs;
  row[at + 3] = description.stretch / total;
  row[at + 4] = description.quoted / total;
  row[at + 5] = description.bestQuoted / total;
  row[at + 6] = body.pairs / totalPairs;
  row[at + 7] = body.run / totalPairs;
  row[at + 8] = body.stretch / total;
  row[at + 9] = body.density / Math.sqrt(total);
  row[at + 10] = body.beginning / total;
}

interface Part {
  /** Where the next part begins. */
  readonly end: number;
  /** What the pairs of the query are worth that stand in it, each once. */
  readonly pairs: number;
  /** The same of the longest row of words that follow each other as in the query. */
  readonly run: number;
  /** The best stretch between two breaks, and the best for its length. */
  readonly stretch: number;
  readonly density: number;
  /** Quoted phrases that the query has whole, and the best that it has in part. */
  readonly quoted: number;
  readonly bestQuoted: number;
  /** What stands at the beginning. */
  readonly beginning: number;
}

/** One pass with nothing but numbers: sixty candidates of a thousand words are read for every search. */
function readPart(
  sequence: Int32Array,
  from: number,
  last: number | undefined,
  rarity: Float32Array,
  query: QueryOrder,
): Part {
  const { places, weights, pairs, countedWord, countedPair } = query;
  const size = weights.length;
  const partStamp = ++query.stamp;
  const beginningStamp = ++query.stamp;
  let stamp = ++query.stamp;
  let pairWeight = 0;
  let run = 0;
  let bestRun = 0;
  let weight = 0;
  let length = 0;
  let stretch = 0;
  let density = 0;
  let beginning = 0;
  let isQuoted = false;
  let quoteFound = 0;
  let quoteTotal = 0;
  let quoted = 0;
  let bestQuoted = 0;
  let at = from;
  for (; at < sequence.length; at++) {
    const word = sequence[at] as number;
    if (word < 0) {
      run = 0;
      if (word === BREAK && weight > 0) {
        if (weight > stretch) stretch = weight;
        const dense = weight / Math.sqrt(length + 10);
        if (dense > density) density = dense;
      }
      if (word === last) break;
      if (word === BREAK) {
        stamp = ++query.stamp;
        weight = 0;
        length = 0;
      } else if (word === OPEN) {
        isQuoted = true;
        quoteFound = 0;
        quoteTotal = 0;
      } else if (word === CLOSE) {
        isQuoted = false;
        const share = quoteTotal > 0 ? quoteFound / quoteTotal : 0;
        if (share > 0.99) quoted += quoteFound;
        if (quoteFound * share > bestQuoted) bestQuoted = quoteFound * share;
      }
      continue;
    }
    length += rarity[word] as number;
    if (isQuoted) quoteTotal += rarity[word] as number;
    const place = places[word] as number;
    if (place < 0) {
      run = 0;
      continue;
    }
    const worth = weights[place] as number;
    if (isQuoted) quoteFound += worth;
    const counted = countedWord[place] as number;
    if (counted < stamp) {
      // Seen for the first time in this stretch; a stamp older than the part's means for the first time at all.
      if (counted < beginningStamp && at - from < BEGINNING) beginning += worth;
      countedWord[place] = stamp;
      weight += worth;
    }
    const next = at + 1 < sequence.length ? (sequence[at + 1] as number) : BREAK;
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
  return { end: at + 1, pairs: pairWeight, run: bestRun, stretch, density, quoted, bestQuoted, beginning };
}
