import type { TextIndex } from "./text-index.ts";
import { isPair, tokenize } from "./tokenize.ts";

/** What a query asks for: its words, and which of them stand in one sentence. */
export interface QueryWords {
  /** Numbers of known words, each once. */
  readonly words: readonly number[];
  /** Places in `words`, by sentence, in their order. */
  readonly sentences: readonly (readonly number[])[];
  /** By place: whether the query quotes the word. */
  readonly quoted: Uint8Array;
  /** How many different words no skill has, and how many of these are pairs of characters. */
  readonly unknown: number;
  readonly unknownPairs: number;
}

/** A request has fewer different words than this; a page that was pasted in may have more. */
const MAX_WORDS = 160;
const SENTENCES = /(?<=[.!?;:])\s+|\n+|[。！？；]/;
const QUOTED =
  /["“「『`]([^"”」』`]{3,120})["”」』`]|(?<![\p{L}\p{N}])['‘]([^'’]{3,120})['’](?![\p{L}\p{N}])/gu;

export function queryWords(text: string, index: TextIndex): QueryWords {
  const places = new Map<number, number>();
  const unknown = new Set<string>();
  const sentences: number[][] = [];
  const isTelling = tellingWords(text, index);
  for (const sentence of text.split(SENTENCES)) {
    const own: number[] = [];
    for (const word of tokenize(sentence)) {
      const number = index.words.get(word);
      if (number === undefined) {
        unknown.add(word);
        continue;
      }
      if (!isTelling(number)) continue;
      const place = places.get(number) ?? places.size;
      if (place >= MAX_WORDS) continue;
      places.set(number, place);
      own.push(place);
    }
    if (own.length > 0) sentences.push(own);
  }
  const quoted = new Uint8Array(places.size);
  for (const [, one, other] of text.matchAll(QUOTED)) {
    for (const word of tokenize(one ?? other ?? "")) {
      const place = places.get(index.words.get(word) ?? -1);
      if (place !== undefined) quoted[place] = 1;
    }
  }
  const unknownPairs = [...unknown].filter(isPair).length;
  return { words: [...places.keys()], sentences, quoted, unknown: unknown.size, unknownPairs };
}

/**
 * Words like "the" tell no skill from another, and reading who has them takes longest; they count where a query has no
 * others. A small catalog has no such words.
 */
function tellingWords(text: string, { words, starts, skillCount }: TextIndex): (word: number) => boolean {
  if (skillCount <= 50) return () => true;
  const isTelling = (word: number): boolean =>
    (starts[word + 1] ?? 0) - (starts[word] ?? 0) <= skillCount * 0.6;
  return tokenize(text).some((word) => isTelling(words.get(word) ?? -1)) ? isTelling : () => true;
}
