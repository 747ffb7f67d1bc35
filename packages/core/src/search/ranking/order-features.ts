import { CODES, MARKS, MOST_SKILLS } from "../index/sequences.ts";
import type { TextIndex } from "../index/text-index.ts";
import type { QueryWords } from "../query/query-words.ts";
import { BODY_BEGINS, BREAK, CLOSE, DESCRIPTION_BEGINS, OPEN } from "../text/skill-words.ts";
import { COLUMN_OF as AT } from "./candidates.ts";

/** The words of the query in a skill, in the skill's order, with the marks between them. */
interface Hits {
  readonly count: number;
  /** The position of the word in the query, or a mark. */
  readonly items: Int32Array;
  /** Its position among all words and marks of the skill. */
  readonly positions: Int32Array;
  /** The summed rarity of all words before it. */
  readonly masses: Float32Array;
}

const NOT_ASKED = -MARKS - 1;

/** Finds the words of a query in skills. The arrays are used again by each search. */
export class HitReader {
  readonly #index: TextIndex;
  /** By code: the position of a word in the current query; a mark stands for itself. */
  readonly #placeOf = new Int16Array(CODES).fill(NOT_ASKED);
  readonly #items: Int32Array;
  readonly #positions: Int32Array;
  readonly #masses: Float32Array;

  constructor(index: TextIndex) {
    this.#index = index;
    const size = index.longestSequence + 1;
    this.#items = new Int32Array(size);
    this.#positions = new Int32Array(size);
    this.#masses = new Float32Array(size);
    for (let mark = -MARKS; mark < 0; mark++) this.#placeOf[CODES + mark] = mark;
  }

  /** Sets the words of the current query, or removes them. */
  ask(words: readonly number[], isAsked: boolean): void {
    words.forEach((word, place) => {
      this.#placeOf[this.#index.codes[word] ?? 0] = isAsked ? place : NOT_ASKED;
    });
  }

  /** One pass over plain numbers, because every search reads sixty skills of a thousand words. */
  read(skill: number): Hits {
    const placeOf = this.#placeOf;
    const { items, masses } = this.#index.sequenceOf(skill);
    const [kept, positions, keptMasses] = [this.#items, this.#positions, this.#masses];
    let count = 0;
    for (let at = 0; at < items.length; at++) {
      const item = placeOf[items[at] as number] as number;
      if (item === NOT_ASKED) continue;
      // Of several breaks without a word of the query in between, keep the last.
      if (item === BREAK && count > 0 && kept[count - 1] === BREAK) count--;
      kept[count] = item;
      positions[count] = at;
      keptMasses[count] = masses[at] as number;
      count++;
    }
    return { count, items: kept, positions, masses: keptMasses };
  }
}

/** The words of a query by position, to be matched with sequences. */
interface QueryOrder {
  /** The weight of each word. */
  readonly weights: readonly number[];
  /** The value of two adjacent words: rows are the first, columns the second. */
  readonly pairs: Float32Array;
  readonly total: number;
  readonly totalPairs: number;
  /** Scratch space by position and by pair: the stretch or part in which it was last counted. */
  readonly countedWord: Int32Array;
  readonly countedPair: Int32Array;
  /** Numbers the stretches and parts of all candidates of the query. */
  stamp: number;
}

export function queryOrder(
  { having, size: skills }: TextIndex,
  query: QueryWords,
  weights: readonly number[],
  total: number,
): QueryOrder {
  const isContent = query.words.map((word) => (having[word] as number) <= skills * MOST_SKILLS);
  const size = query.words.length;
  const pairs = new Float32Array(size * size);
  let totalPairs = 0;
  for (const sentence of query.sentences) {
    const content = sentence.filter((place) => isContent[place]);
    content.forEach((place, i) => {
      const next = content[i + 1];
      if (next === undefined || next === place || pairs[place * size + next] !== 0) return;
      const [one = 0, other = 0] = [weights[place], weights[next]];
      const worth = Math.min(one, other) + 0.5 * Math.max(one, other);
      pairs[place * size + next] = worth;
      totalPairs += worth;
    });
  }
  return {
    weights,
    pairs,
    total,
    totalPairs: totalPairs || 1,
    countedWord: new Int32Array(size),
    countedPair: new Int32Array(size * size),
    stamp: 0,
  };
}

/** One part of a skill's words: its name, its description or its body. */
interface Part {
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
function readPart(hits: Hits, from: number, last: number | undefined, query: QueryOrder): Part {
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

/**
 * Writes the features from the order of a skill's words into its row, which begins at `at`. `among` weights words by how well they
 * distinguish the candidates.
 */
export function orderFeatures(
  hits: Hits,
  query: QueryOrder,
  among: QueryOrder,
  rows: Float64Array,
  at: number,
): void {
  const name = readPart(hits, 0, DESCRIPTION_BEGINS, query);
  const description = readPart(hits, name.end, BODY_BEGINS, query);
  const body = readPart(hits, description.end, undefined, query);
  const { total, totalPairs } = query;
  rows[at + AT.nameAsked] = name.mass > 0 ? name.found / name.mass : 0;
  rows[at + AT.nameWeight] = name.found / total;
  rows[at + AT.nameNotAsked] = (name.mass - name.found) / 10;
  rows[at + AT.nameWords] = name.foundWords;
  rows[at + AT.namePairs] = name.pairs / totalPairs;
  rows[at + AT.descriptionAsked] = description.mass > 0 ? description.found / description.mass : 0;
  rows[at + AT.quoted] = description.quoted / total;
  textFeatures(description, body, query, rows, at);
  textFeatures(
    readPart(hits, name.end, BODY_BEGINS, among),
    readPart(hits, description.end, undefined, among),
    among,
    rows,
    at + AT.descriptionPairsAmong - AT.descriptionPairs,
  );
}

function textFeatures(
  description: Part,
  body: Part,
  { total, totalPairs }: QueryOrder,
  rows: Float64Array,
  at: number,
): void {
  rows[at + AT.descriptionPairs] = description.pairs / totalPairs;
  rows[at + AT.descriptionNear] = description.near / total;
  rows[at + AT.descriptionRun] = description.run / totalPairs;
  rows[at + AT.descriptionSentence] = description.stretch / total;
  rows[at + AT.quotedBest] = description.bestQuoted / total;
  rows[at + AT.bodyPairs] = body.pairs / totalPairs;
  rows[at + AT.bodyNear] = Math.log(1 + body.near);
  rows[at + AT.bodyRun] = body.run / totalPairs;
  rows[at + AT.bodyLine] = body.stretch / total;
  rows[at + AT.bodySecondLine] = body.secondStretch / total;
  rows[at + AT.bodyLineDensity] = body.density / Math.sqrt(total);
  rows[at + AT.bodyBeginning] = body.beginning / total;
}

/** A request is said by a description that has so many of its words, and this share of them, in a row. */
const MIN_SAID = 3;
const SHARE_SAID = 0.7;
/** In a row: with at most one word between two. */
const GAP = 2;

/**
 * Whether the description of a skill has nearly all words of the query in a row, at least one of them telling: "asked what changed
 * since a version" says "what changed since v2".
 */
export function isSaid(hits: HitReader, query: QueryWords, skill: number): boolean {
  const { words, sentences, length, background } = query;
  const needed = Math.max(MIN_SAID, SHARE_SAID * length);
  if (words.length < needed) return false;
  const size = words.length;
  const follows = new Set(
    sentences.flatMap((sentence) => sentence.slice(1).map((next, i) => (sentence[i] ?? 0) * size + next)),
  );
  hits.ask(words, true);
  const { items, positions, count } = hits.read(skill);
  hits.ask(words, false);
  let at = items.indexOf(DESCRIPTION_BEGINS) + 1;
  let run = 0;
  let isTelling = false;
  for (; at < count && items[at] !== BODY_BEGINS; at++) {
    const place = items[at] as number;
    if (place < 0) {
      run = 0;
      continue;
    }
    const before = items[at - 1] as number;
    const isNext = (positions[at] as number) - (positions[at - 1] as number) <= GAP;
    const goesOn = run > 0 && isNext && follows.has(before * size + place);
    run = goesOn ? run + 1 : 1;
    isTelling = (goesOn && isTelling) || (background.weights[place] ?? 0) > 0;
    if (run >= needed && isTelling) return true;
  }
  return false;
}
