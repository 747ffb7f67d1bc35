import { isPair } from "./tokenize.ts";
import { WORD_TABLE } from "./word-table.ts";

/** A word that is not among the common ones. */
const RAREST = 7;
/** A number, or the number of a version, says little about the subject. */
const NUMBER = 2.5;
/** A word of two characters is part of about two pairs. */
const PAIR = 0.6;

let rarities: ReadonlyMap<string, number> | undefined;

/**
 * How rare a word, as `tokenize` returns it, is in general, from 0.5 ("the") to 7. Other than the rarity in a catalog it does not
 * depend on the skills, so "what is the" weighs next to nothing in a catalog of ten.
 */
export function backgroundRarity(word: string): number {
  rarities ??= readTable();
  if (isPair(word)) return PAIR * pairRarity(word, rarities);
  return rarities.get(word) ?? (/^v?\d+$/.test(word) ? NUMBER : RAREST);
}

/** The same on one scale for words and pairs of characters. */
export function generalRarity(word: string): number {
  return isPair(word) ? backgroundRarity(word) / PAIR : backgroundRarity(word);
}

/** A pair that is not listed, such as the end of one word and the beginning of the next, is as rare as its characters. */
function pairRarity(pair: string, known: ReadonlyMap<string, number>): number {
  const listed = known.get(pair);
  if (listed !== undefined) return listed;
  const characters = [...pair];
  return characters.reduce((sum, one) => sum + (known.get(one) ?? RAREST), 0) / characters.length;
}

/** A line is a rarity in half units and its words. */
function readTable(): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const line of WORD_TABLE.trim().split("\n")) {
    const [rarity, ...words] = line.split(" ");
    for (const word of words) table.set(word, Number(rarity) / 2);
  }
  return table;
}
