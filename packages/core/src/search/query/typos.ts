import { editDistance } from "../../shared/nearest.ts";
import type { TextIndex } from "../index/text-index.ts";
import { foldLetters } from "../text/letters.ts";
import { IN_NAME_OR_DESCRIPTION } from "../text/skill-words.ts";
import { stemOf, tokenize } from "../text/tokenize.ts";

/** A known word that replaces an unknown one. */
export interface StandIn {
  /** As typed. */
  readonly typed: string;
  /** The known word and its number. */
  readonly word: string;
  readonly number: number;
}

/** By unknown word of a text, as returned by `tokenize`. */
export type StandIns = ReadonlyMap<string, StandIn>;

/** More unknown words than this are another subject, not typos. */
const MAX_UNKNOWN = 3;
/** Shorter words have too many neighbours; in a long request the minimum is higher. */
const MIN_LETTERS = 4;
const MIN_IN_REQUEST = 6;
const MAX_TYPED = 16;
/** From this length on, two typos are corrected. */
const LONG = 8;
const LONG_STEM = 7;
/** "hated" and "haed" are one edit apart, but the stem of the other is only "ha". */
const MIN_STEM = 3;
/** A longer word was not typed by a person. */
const MAX_LETTERS = 24;
/** A word of letters that is not part of a path, a URL or an identifier. */
const PLAIN = /(?<![\p{L}\p{N}\p{M}_./\\@:#$~])\p{Script=Latin}+(?![\p{L}\p{N}\p{M}_/\\@(]|[.:]\p{L})/gu;
const LATIN = /^\p{Script=Latin}+$/u;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Finds the known word that an unknown one was meant to be: the closest, and among equals the one that most skills have in
 * their name or description; words that only bodies have are often typos themselves. A word that some skill has is never
 * changed.
 */
export class Typos {
  readonly #index: TextIndex;

  constructor(index: TextIndex) {
    this.#index = index;
  }

  /** Corrections for the unknown words of a text. */
  standIns(text: string): StandIns {
    const found = new Map<string, StandIn>();
    for (const [stem, typed] of this.#unknownWords(text)) {
      const lower = foldLetters(typed);
      const word = this.#oneSlip(lower) ?? this.#twoSlips(lower, stem);
      const number = word === undefined ? undefined : this.#index.words.get(word);
      if (word !== undefined && number !== undefined) found.set(stem, { typed, word, number });
    }
    return found;
  }

  /** Stem → word as typed; empty if there are too many. */
  #unknownWords(text: string): ReadonlyMap<string, string> {
    const unknown = new Map<string, string>();
    const isRequest = text.split(/\s+/, MAX_TYPED + 1).length > MAX_TYPED;
    const least = isRequest ? MIN_IN_REQUEST : MIN_LETTERS;
    for (const [written] of text.matchAll(PLAIN)) {
      if (written.length < least || written.length > MAX_LETTERS) continue;
      const [stem = "", ...parts] = tokenize(written);
      // A word of several parts is an identifier.
      if (parts.length > 0 || this.#isKnown(stem)) continue;
      unknown.set(stem, written);
      if (unknown.size > MAX_UNKNOWN) return new Map();
    }
    return unknown;
  }

  /**
   * Looks up every spelling with one edit by its stem, because a typo in the ending gives another stem. Swapped letters are
   * tried first.
   */
  #oneSlip(word: string): string | undefined {
    return this.#mostClaimed(this.#stems(swaps(word))) ?? this.#mostClaimed(this.#stems(slips(word)));
  }

  /** The known ones, without duplicates. */
  #stems(spellings: Iterable<string>): Set<string> {
    const known = new Set<string>();
    for (const spelling of spellings) {
      const stem = stemOf(spelling);
      if (stem.length >= MIN_STEM && this.#index.words.has(stem)) known.add(stem);
    }
    return known;
  }

  /** There are too many spellings with two edits, so known stems of similar length are compared instead. */
  #twoSlips(word: string, stem: string): string | undefined {
    if (word.length < LONG || stem.length < LONG_STEM) return;
    const [first = "", second = ""] = stem;
    const near: string[] = [];
    const least = Math.max(LONG_STEM, stem.length - 2);
    // A longer word was not typed by a person.
    const most = Math.min(MAX_LETTERS + 2, stem.length + 2);
    for (const known of this.#index.words.near(stem, least, most)) {
      const isNear = known[0] === first || (known[0] === second && known[1] === first);
      if (isNear && editDistance(stem, known, 2) <= 2 && LATIN.test(known)) near.push(known);
    }
    return this.#mostClaimed(near);
  }

  /** The word that most names and descriptions have, if any; among equals the first in the alphabet. */
  #mostClaimed(words: Iterable<string>): string | undefined {
    let best: string | undefined;
    let most = 0;
    for (const word of words) {
      const number = this.#index.words.get(word) ?? 0;
      let claimed = 0;
      for (const count of this.#index.entriesOf(number).counts)
        if ((count & IN_NAME_OR_DESCRIPTION) !== 0) claimed++;
      if (claimed > most || (claimed === most && best !== undefined && word < best))
        [best, most] = [word, claimed];
    }
    return best;
  }

  /** The dictionary may have words of removed skills. */
  #isKnown(word: string): boolean {
    const number = this.#index.words.get(word);
    return number !== undefined && this.#index.having[number] !== 0;
  }
}

/** `deplyo→deploy`, as the skill's name or description spells it; the stem if only the body has the word. */
export function showStandIn({ typed, word }: StandIn, { name, description }: Named): string {
  for (const [written] of `${name} ${description}`.matchAll(/\p{Script=Latin}+/gu))
    if (tokenize(written).includes(word)) return `${typed}→${written.toLowerCase()}`;
  return `${typed}→${word}`;
}

interface Named {
  readonly name: string;
  readonly description: string;
}

/** Spellings with two neighbouring letters swapped. */
function* swaps(word: string): Generator<string> {
  for (let i = 0; i + 1 < word.length; i++)
    yield `${word.slice(0, i)}${word[i + 1]}${word[i]}${word.slice(i + 2)}`;
}

/** Spellings with one letter removed, added or replaced. The first letter is assumed to be right. */
function* slips(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) {
    const before = word.slice(0, i);
    const after = word.slice(i + 1);
    yield `${before}${after}`;
    for (const letter of LETTERS) {
      yield `${before}${letter}${after}`;
      yield `${before}${letter}${word[i]}${after}`;
    }
  }
  for (const letter of LETTERS) yield `${word}${letter}`;
}
