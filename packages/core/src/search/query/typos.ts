import { editDistance } from "../../shared/edit-distance.ts";
import type { TextIndex } from "../index/postings.ts";
import { IN_NAME_OR_DESCRIPTION } from "../text/field-counts.ts";
import { stemOf, tokenize } from "../text/tokenize.ts";

/** A known word that stands in for one that no skill has. */
export interface StandIn {
  /** As it was typed. */
  readonly typed: string;
  /** The known word and its number. */
  readonly word: string;
  readonly number: number;
}

/** By unknown word of a text, as `tokenize` gives it. */
export type StandIns = ReadonlyMap<string, StandIn>;

/** More unknown words than this are another subject and no slips. */
const MAX_UNKNOWN = 3;
/** Shorter words have too many neighbours; in a request of more words than somebody types into a search even more so. */
const MIN_LETTERS = 4;
const MIN_IN_REQUEST = 6;
const MAX_TYPED = 16;
/** From here on two slips are forgiven. */
const LONG = 8;
const LONG_STEM = 7;
/** "hated" and "haed" are one slip apart, but "ha" is all that is left of the other. */
const MIN_STEM = 3;
/** Beyond this it is no word that somebody typed. */
const MAX_LETTERS = 24;
/** A word of letters that is no part of a path, an address or an identifier. */
const PLAIN = /(?<![\p{L}\p{N}\p{M}_./\\@:#$~])\p{Script=Latin}+(?![\p{L}\p{N}\p{M}_/\\@(]|[.:]\p{L})/gu;
const LATIN = /^\p{Script=Latin}+$/u;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Finds which known word was meant by an unknown one: the closest, and of these the one that most skills have in their name
 * or description; what only bodies have is as often a slip itself. A word that some skill has is never changed.
 */
export class Typos {
  readonly #index: TextIndex;
  /** Known words by length; made when a long word first needs them. */
  #byLength: string[][] | undefined;

  constructor(index: TextIndex) {
    this.#index = index;
  }

  /** What stands in for the unknown words of a text. */
  standIns(text: string): StandIns {
    const found = new Map<string, StandIn>();
    for (const [stem, typed] of this.#unknownWords(text)) {
      const lower = typed.toLowerCase();
      const word = this.#oneSlip(lower) ?? this.#twoSlips(lower, stem);
      const number = word === undefined ? undefined : this.#index.words.get(word);
      if (word !== undefined && number !== undefined) found.set(stem, { typed, word, number });
    }
    return found;
  }

  /** Stem → word as it was typed; none where there are too many. */
  #unknownWords(text: string): ReadonlyMap<string, string> {
    const unknown = new Map<string, string>();
    const isRequest = text.split(/\s+/, MAX_TYPED + 1).length > MAX_TYPED;
    const least = isRequest ? MIN_IN_REQUEST : MIN_LETTERS;
    for (const [written] of text.matchAll(PLAIN)) {
      if (written.length < least || written.length > MAX_LETTERS) continue;
      const [stem = "", ...parts] = tokenize(written);
      // Several parts are an identifier.
      if (parts.length > 0 || this.#isKnown(stem)) continue;
      unknown.set(stem, written);
      if (unknown.size > MAX_UNKNOWN) return new Map();
    }
    return unknown;
  }

  /**
   * Every spelling that is one slip away is looked up by its stem, because a slip in the ending leaves another stem. Where
   * all letters are there and two have changed places, that is what happened.
   */
  #oneSlip(word: string): string | undefined {
    return this.#mostClaimed(this.#stems(swaps(word))) ?? this.#mostClaimed(this.#stems(slips(word)));
  }

  /** The known ones, each once. */
  #stems(spellings: Iterable<string>): Set<string> {
    const known = new Set<string>();
    for (const spelling of spellings) {
      const stem = stemOf(spelling);
      if (stem.length >= MIN_STEM && this.#index.words.has(stem)) known.add(stem);
    }
    return known;
  }

  /** These are too many spellings to make, so known words of about this length are compared, by their stems. */
  #twoSlips(word: string, stem: string): string | undefined {
    if (word.length < LONG || stem.length < LONG_STEM) return;
    const [first = "", second = ""] = stem;
    const near: string[] = [];
    for (let length = Math.max(LONG_STEM, stem.length - 2); length <= stem.length + 2; length++) {
      for (const known of this.#ofLength(length)) {
        const isNear = known[0] === first || (known[0] === second && known[1] === first);
        if (isNear && editDistance(stem, known, 2) <= 2 && LATIN.test(known)) near.push(known);
      }
    }
    return this.#mostClaimed(near);
  }

  #ofLength(length: number): readonly string[] {
    if (this.#byLength === undefined) {
      this.#byLength = Array.from({ length: MAX_LETTERS + 3 }, () => []);
      for (const word of this.#index.words.keys()) this.#byLength[word.length]?.push(word);
    }
    return this.#byLength[length] ?? [];
  }

  /** The one that most names and descriptions have, if any has it; of equals the first in the alphabet. */
  #mostClaimed(words: Iterable<string>): string | undefined {
    const { starts, counts } = this.#index;
    let best: string | undefined;
    let most = 0;
    for (const word of words) {
      const number = this.#index.words.get(word) ?? 0;
      let claimed = 0;
      for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at++)
        if (((counts[at] ?? 0) & IN_NAME_OR_DESCRIPTION) !== 0) claimed++;
      if (claimed > most || (claimed === most && best !== undefined && word < best))
        [best, most] = [word, claimed];
    }
    return best;
  }

  /** A dictionary may still have words of skills that are gone. */
  #isKnown(word: string): boolean {
    const number = this.#index.words.get(word);
    return number !== undefined && this.#index.starts[number + 1] !== this.#index.starts[number];
  }
}

/** `deplyo→deploy`, as the skill's name or description writes it; where only the body has the word, its stem. */
export function showStandIn({ typed, word }: StandIn, { name, description }: Named): string {
  for (const [written] of `${name} ${description}`.matchAll(/\p{Script=Latin}+/gu))
    if (tokenize(written).includes(word)) return `${typed}→${written.toLowerCase()}`;
  return `${typed}→${word}`;
}

interface Named {
  readonly name: string;
  readonly description: string;
}

/** Spellings with two neighbours swapped. */
function* swaps(word: string): Generator<string> {
  for (let i = 0; i + 1 < word.length; i++)
    yield `${word.slice(0, i)}${word[i + 1]}${word[i]}${word.slice(i + 2)}`;
}

/** Spellings with a letter less, more or another. The first letter is believed. */
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
