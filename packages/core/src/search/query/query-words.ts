import type { SkillMetadata } from "../../skill/schema.ts";
import { LEAST_SIZE, type TextIndex } from "../index/text-index.ts";
import { isFunctionWord } from "../text/function-words.ts";
import { backgroundRarity } from "../text/general-rarity.ts";
import { relatedWords } from "../text/related-words.ts";
import { isPair, tokenize } from "../text/tokenize.ts";
import { type StandIn, type StandIns, showStandIn } from "./typos.ts";

/** How much each word of a query says in general, whatever the skills. */
export interface QueryBackground {
  /** By position of a known word; 0 for a function word, which is no evidence of what is meant. */
  readonly weights: readonly number[];
  /** The sums over all words, those that no skill has included. */
  readonly total: number;
  readonly totalSquared: number;
  /** The part of the total that no skill has. */
  readonly unknown: number;
  /** Whether most of it is in a script that is compared by pairs of characters. */
  readonly isPaired: boolean;
}

interface KnownWord {
  readonly word: string;
  /** Less than 1 for a corrected word. */
  readonly trust: number;
}

/** Most unknown pairs of characters span two words, or no skill is written in their language. */
const UNKNOWN_PAIR = 0.3;
/** One telling word. */
const TELLING_WORD = 5;

/**
 * A request in Chinese or Japanese often names its subject in words of letters, while the skill is in English. So if it has such
 * words, its pairs of characters count at most as much as these.
 */
export function queryBackground(known: readonly KnownWord[], unknown: Iterable<string>): QueryBackground {
  const rarityOf = (word: string): number => (isFunctionWord(word) ? 0 : backgroundRarity(word));
  const words = [
    ...known.map(({ word, trust }) => ({ word, trust, rarity: rarityOf(word) })),
    ...[...unknown].map((word) => ({
      word,
      trust: 0,
      rarity: rarityOf(word) * (isPair(word) ? UNKNOWN_PAIR : 1),
    })),
  ];
  const sum = (list: typeof words): number => list.reduce((total, { rarity }) => total + rarity, 0);
  const pairs = sum(words.filter(({ word }) => isPair(word)));
  const letters = sum(words) - pairs;
  const scale = letters >= TELLING_WORD && pairs > letters ? letters / pairs : 1;
  const weights = words.map(({ word, rarity }) => (isPair(word) ? rarity * scale : rarity));
  return {
    weights: known.map(({ trust }, place) => (weights[place] ?? 0) * trust),
    total: weights.reduce((total, weight) => total + weight, 0),
    totalSquared: weights.reduce((total, weight) => total + weight * weight, 0),
    unknown: words.reduce((total, { trust }, i) => total + (weights[i] ?? 0) * (1 - trust), 0),
    isPaired: pairs > letters,
  };
}

/** The parsed query: its words, and which of them share a sentence. */
export interface QueryWords {
  /** Numbers of known words, without duplicates. */
  readonly words: readonly number[];
  /** By position: 1 for a word as written, less for a corrected one and, in a small catalog, for a function word. */
  readonly trust: readonly number[];
  /** By position: the weight of the word, lower where it is trusted less. */
  readonly weights: readonly number[];
  /** Positions in `words` by sentence, in order. */
  readonly sentences: readonly (readonly number[])[];
  /** By position: whether the query quotes the word. */
  readonly quoted: Uint8Array;
  /** How many words it has as written, those that no skill has included. */
  readonly length: number;
  /** Whether it has so few words that each was chosen. */
  readonly isShort: boolean;
  readonly background: QueryBackground;
  /** What its words mean, but for function words: those without which a skill has another word for it too. */
  readonly meanings: readonly Meaning[];
}

/** A word of the query, and words that mean about the same. */
interface Meaning {
  /** Its position, if some skill has the word itself. */
  readonly place: number | undefined;
  /** What it says in general, whatever the skills. */
  readonly background: number;
  /** Known words that are not in the query, rarest first. */
  readonly related: readonly number[];
}

/** A request has fewer different words than this; a pasted page may have more. */
const MAX_WORDS = 160;
/** A corrected word counts less than one as written. */
const GUESSED = 0.6;
/** In a small catalog a function word looks rare; its order with other words still says a little. */
const FUNCTION_WORD = 0.1;
/** A query of so few words is short. */
const FEW_WORDS = 3;
/** Words that a larger share of skills has do not distinguish skills. */
const TELLING = 0.6;
/** Entries that one search reads. Only a long query in a catalog of more than 10,000 skills has more; it loses its most common words. */
const MAX_ENTRIES = 1_000_000;
const SENTENCES = /(?<=[.!?;:])\s+|\n+|[。！？；]/;
const QUOTED =
  /["“「『`]([^"”」』`]{3,120})["”」』`]|(?<![\p{L}\p{N}])['‘]([^'’]{3,120})['’](?![\p{L}\p{N}])/gu;

export function queryWords(text: string, index: TextIndex, standIns: StandIns): QueryWords {
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

  const known = [...numbers.values()];
  const isTelling = affordableWords(known, tellingWords(known, index), index);
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
  const spellings = new Map(Array.from(numbers, ([word, number]) => [number, word]));
  const trust = words.map((word) => {
    if (index.size <= LEAST_SIZE && isFunctionWord(spellings.get(word) ?? "")) return FUNCTION_WORD;
    return guessed.has(word) ? GUESSED : 1;
  });
  return {
    words,
    trust,
    weights: words.map((word, place) => (index.rarity[word] ?? 0) * (trust[place] ?? 1)),
    sentences,
    quoted: quotedWords(text, words.length, (word) => places.get(numbers.get(word) ?? -1)),
    length: written.flat().length,
    isShort: isShort(text),
    background: queryBackground(
      words.map((word, place) => ({ word: spellings.get(word) ?? "", trust: trust[place] ?? 1 })),
      unknown,
    ),
    meanings: meaningsOf([...numbers.keys(), ...unknown], (word) => places.get(numbers.get(word) ?? -1), {
      standIns,
      index,
    }),
  };
}

/** Another word that a larger share of skills has says next to nothing, and has the most entries to read. */
const TELLING_RELATED = 0.25;
/** In a longer request its own words say enough. */
const MAX_MEANINGS = 40;

function meaningsOf(
  asked: readonly string[],
  placeOf: (word: string) => number | undefined,
  { standIns, index }: { readonly standIns: StandIns; readonly index: TextIndex },
): Meaning[] {
  const meant = asked
    .map((word) => ({ place: placeOf(word), means: standIns.get(word)?.word ?? word }))
    .filter(({ means }) => !isFunctionWord(means));
  const others = meant.length > MAX_MEANINGS ? new Set() : new Set(meant.map(({ means }) => means));
  return meant.map(({ place, means }) => ({
    place,
    background: backgroundRarity(means),
    related:
      others.size === 0
        ? []
        : [...relatedWords(means)]
            .filter((word) => !others.has(word))
            .flatMap((word) => numberOf(word, index) ?? [])
            .filter((word) => (index.having[word] ?? 0) <= index.size * TELLING_RELATED)
            .sort((a, b) => (index.having[a] ?? 0) - (index.having[b] ?? 0)),
  }));
}

/** Words are counted as written, "follow-up" as one; pairs of characters one by one. */
function isShort(text: string): boolean {
  const written = text.trim().split(/\s+/, FEW_WORDS + 1);
  if (written.length > FEW_WORDS) return false;
  const sizes = written.map((word) => tokenize(word)).map((words) => (words.some(isPair) ? words.length : 1));
  return sizes.reduce((sum, size) => sum + size, 0) <= FEW_WORDS;
}

/** The dictionary may have words of removed skills; treat them as unknown, as in a new index. */
function numberOf(word: string, { words, having }: TextIndex): number | undefined {
  const number = words.get(word);
  return number !== undefined && having[number] !== 0 ? number : undefined;
}

/**
 * Words like "the" do not distinguish skills and are the slowest to read, so they count only if a query has no others. A
 * small catalog has no such words.
 */
function tellingWords(words: readonly number[], { having, size }: TextIndex): (word: number) => boolean {
  const isTelling = (word: number): boolean => (having[word] ?? 0) <= size * TELLING;
  return words.some(isTelling) ? isTelling : () => true;
}

/** Leaves out the most common words if the first `MAX_WORDS` have too many entries. */
function affordableWords(
  words: readonly number[],
  isTelling: (word: number) => boolean,
  index: TextIndex,
): (word: number) => boolean {
  const having = (word: number): number => index.having[word] ?? 0;
  const asked = [...new Set(words.filter(isTelling))]
    .slice(0, MAX_WORDS)
    .sort((a, b) => having(a) - having(b));
  let entries = 0;
  const first = asked.find((word) => {
    entries += having(word);
    return entries > MAX_ENTRIES;
  });
  if (first === undefined) return isTelling;
  const most = having(first);
  return (word) => having(word) < most && isTelling(word);
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

/** A word of a query as written, with its number and its correction. */
interface WrittenWord {
  readonly word: string;
  readonly numbers: readonly number[];
  readonly standIns: readonly StandIn[];
}

/** With the sign of "C#", "C++" and ".NET", which is part of the name, and with the rest of "n't". */
const WRITTEN =
  /\.net(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}_-]+(?:#|\+\+|['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?/giu;

/** Entries to read for this. Only a long query in a large catalog has more; its most common words are not shown then. */
const MAX_READ = 600_000;

/** Without duplicates and function words. */
export function writtenWords(text: string, { words, having }: TextIndex, standIns: StandIns): WrittenWord[] {
  const texts = new Set(Array.from(text.matchAll(WRITTEN), ([word]) => word));
  const written = [...texts].map((word) => {
    const parts = tokenize(word).filter((part) => !isFunctionWord(part));
    const numbers = [...new Set(parts.flatMap((part) => words.get(part) ?? []))];
    const entries = numbers.reduce((sum, one) => sum + (having[one] ?? 0), 0);
    return { word, numbers, entries, standIns: parts.flatMap((part) => standIns.get(part) ?? []) };
  });
  let read = 0;
  const first = written
    .toSorted((a, b) => a.entries - b.entries)
    .find(({ entries }) => {
      read += entries;
      return read > MAX_READ;
    });
  return first ? written.filter(({ entries }) => entries < first.entries) : written;
}

/** The words that this skill has, where `fields` says so; `deplyo→deploy` for a corrected one. */
export function matchedWords(
  written: readonly WrittenWord[],
  index: TextIndex,
  number: number,
  skill: SkillMetadata,
  fields: number,
): string[] {
  const has = (word: number): boolean => (countsIn(index, word, number) & fields) !== 0;
  return written.flatMap(({ word, numbers, standIns }) => [
    ...(numbers.some(has) ? [word] : []),
    ...standIns.filter((standIn) => has(standIn.number)).map((standIn) => showStandIn(standIn, skill)),
  ]);
}

/** How often and where a skill has a word, packed. Entries of a word are sorted by skill. */
function countsIn(index: TextIndex, word: number, skill: number): number {
  const { skills, counts } = index.entriesOf(word);
  let low = 0;
  let high = skills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((skills[middle] ?? 0) < skill) low = middle + 1;
    else high = middle;
  }
  return skills[low] === skill ? (counts[low] ?? 0) : 0;
}
