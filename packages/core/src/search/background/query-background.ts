import { isPair } from "../text/tokenize.ts";
import { backgroundRarity } from "./background-rarity.ts";

/** How much each word of a query says in general, whatever the skills. */
export interface QueryBackground {
  /** By position of a known word. */
  readonly weights: readonly number[];
  /** The sums over all words, those that no skill has included. */
  readonly total: number;
  readonly totalSquared: number;
  /** The part of the total that no skill has. */
  readonly unknown: number;
}

interface KnownWord {
  readonly word: string;
  /** Less than 1 for a corrected word. */
  readonly trust: number;
}

/** Most unknown pairs of characters span two words, or no skill is written in their language. */
const UNKNOWN_PAIR = 0.3;
/** One telling word. */
const TELLING = 5;

/**
 * A request in Chinese or Japanese often names its subject in words of letters, while the skill is in English. So if it has such
 * words, its pairs of characters count at most as much as these.
 */
export function queryBackground(known: readonly KnownWord[], unknown: Iterable<string>): QueryBackground {
  const words = [
    ...known.map(({ word, trust }) => ({ word, trust, rarity: backgroundRarity(word) })),
    ...[...unknown].map((word) => ({
      word,
      trust: 0,
      rarity: backgroundRarity(word) * (isPair(word) ? UNKNOWN_PAIR : 1),
    })),
  ];
  const sum = (list: typeof words): number => list.reduce((total, { rarity }) => total + rarity, 0);
  const pairs = sum(words.filter(({ word }) => isPair(word)));
  const letters = sum(words) - pairs;
  const scale = letters >= TELLING && pairs > letters ? letters / pairs : 1;
  const weights = words.map(({ word, rarity }) => (isPair(word) ? rarity * scale : rarity));
  return {
    weights: known.map(({ trust }, place) => (weights[place] ?? 0) * trust),
    total: weights.reduce((total, weight) => total + weight, 0),
    totalSquared: weights.reduce((total, weight) => total + weight * weight, 0),
    unknown: words.reduce((total, { trust }, i) => total + (weights[i] ?? 0) * (1 - trust), 0),
  };
}
