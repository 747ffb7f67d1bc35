import type { Scorer } from "../index/bm25f.ts";
import type { TextIndex } from "../index/postings.ts";
import { isPair, tokenize } from "../text/tokenize.ts";
import type { StandIns } from "./typos.ts";

/** What a query asks for: its words, and which of them stand in one sentence. */
export interface QueryWords {
  /** Numbers of known words, each once. */
  readonly words: readonly number[];
  /** By place: how far it is believed that the word was meant, 1 where it was written. */
  readonly trust: readonly number[];
  /** By place: how telling the word is, less where it was guessed. */
  readonly weights: readonly number[];
  /** Places in `words`, by sentence, in their order. */
  readonly sentences: readonly (readonly number[])[];
  /** By place: whether the query quotes the word. */
  readonly quoted: Uint8Array;
  /** How many different words no skill has and none stands in for, and how many of these are pairs of characters. */
  readonly unknown: number;
  readonly unknownPairs: number;
}

/** A request has fewer different words than this; a page that was pasted in may have more. */
const MAX_WORDS = 160;
/** A word that was guessed counts less than one that was written. */
const GUESSED = 0.6;
/** Words that more of the skills have tell no skill from another. */
const TELLING = 0.6;
const SENTENCES = /(?<=[.!?;:])\s+|\n+|[。！？；]/;
const QUOTED =
  /["“「『`]([^"”」』`]{3,120})["”」』`]|(?<![\p{L}\p{N}])['‘]([^'’]{3,120})['’](?![\p{L}\p{N}])/gu;

export function queryWords(text: string, { index, rarity }: Scorer, standIns: StandIns): QueryWords {
  const written = text.split(SENTENCES).map(tokenize);
  const numbers = new Map<string, number>();
  const unknown = new Set<string>();
  const guessed = new Set<number>();
  for (const word of new Set(written.flat())) {
    const standIn = standIns.get(word);
    const number = standIn?.number ?? numberOf(word, index);
    if (number === undefined) unknown.add(word);
    else numbers.set(word, number);
    if (standIn) guessed.add(standIn.number);
  }
  for (const [word, number] of numbers) if (!standIns.has(word)) guessed.delete(number);

  const isTelling = tellingWords([...numbers.values()], index);
  const places = new Map<number, number>();
  const placeOf = (word: string): number | undefined => {
    const number = numbers.get(word);
    if (number === undefined || !isTelling(number)) return;
    const place = places.get(number) ?? places.size;
    if (place >= MAX_WORDS) return;
    places.set(number, place);
    return place;
  };
  const sentences = written
    .map((sentence) => sentence.flatMap((word) => placeOf(word) ?? []))
    .filter((sentence) => sentence.length > 0);
  const words = [...places.keys()];
  const trust = words.map((word) => (guessed.has(word) ? GUESSED : 1));
  return {
    words,
    trust,
    weights: words.map((word, place) => (rarity[word] ?? 0) * (trust[place] ?? 1)),
    sentences,
    quoted: quotedWords(text, words.length, (word) => places.get(numbers.get(word) ?? -1)),
    unknown: unknown.size,
    unknownPairs: [...unknown].filter(isPair).length,
  };
}

/** A dictionary may still have words of skills that are gone; they are as unknown as to an index that is made anew. */
function numberOf(word: string, { words, starts }: TextIndex): number | undefined {
  const number = words.get(word);
  return number !== undefined && starts[number + 1] !== starts[number] ? number : undefined;
}

/**
 * Words like "the" tell no skill from another, and reading who has them takes longest; they count where a query has no
 * others. A small catalog has no such words.
 */
function tellingWords(words: readonly number[], { starts, size }: TextIndex): (word: number) => boolean {
  const isTelling = (word: number): boolean =>
    (starts[word + 1] ?? 0) - (starts[word] ?? 0) <= size * TELLING;
  return words.some(isTelling) ? isTelling : () => true;
}

function quotedWords(text: string, size: number, placeOf: (word: string) => number | undefined): Uint8Array {
  const quoted = new Uint8Array(size);
  for (const [, one, other] of text.matchAll(QUOTED)) {
    for (const word of tokenize(one ?? other ?? "")) {
      const place = placeOf(word);
      if (place !== undefined) quoted[place] = 1;
    }
  }
  return quoted;
}
