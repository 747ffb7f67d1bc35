import type { Part } from "../../shared/stored/parts-file.ts";

/** Word → its number, by a hash table over the bytes of the words: made in a moment, other than a map of strings. */
export class Dictionary {
  readonly #texts: Buffer;
  /** The number of a word plus one, or 0. */
  readonly #slots: Uint32Array;
  /** Where the bytes of a word begin; has one element more than there are words. */
  readonly #starts: Uint32Array;

  constructor(texts: Part, slots: Part, starts: Uint32Array) {
    this.#texts = Buffer.from(texts.read(0, texts.length));
    this.#slots = new Uint32Array(new Uint8Array(slots.read(0, slots.length)).buffer);
    this.#starts = starts;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }

  get(word: string): number | undefined {
    const bytes = Buffer.from(word);
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(bytes) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return;
      const start = this.#starts[number] as number;
      const end = this.#starts[number + 1] as number;
      if (end - start === bytes.length && bytes.compare(this.#texts, start, end) === 0) return number;
    }
  }

  /** All words, by number. */
  all(): string[] {
    return Array.from({ length: this.size }, (_, word) => this.#textOf(word));
  }

  /** The words of at least and at most so many letters that begin with one of the first two of a word and may be two edits from it. */
  *near(word: string, least: number, most: number): Generator<string> {
    const texts = this.#texts;
    const [first, second] = [...word].map((letter) => Buffer.from(letter)[0]);
    const asked = Buffer.from(word);
    const letters = lettersIn(asked, 0, asked.length);
    for (let number = 0; number < this.size; number++) {
      const from = this.#starts[number] as number;
      const end = this.#starts[number + 1] as number;
      // A letter is up to three bytes.
      if (end - from < least || end - from > 3 * most) continue;
      if (texts[from] !== first && texts[from] !== second) continue;
      const own = lettersIn(texts, from, end);
      if (hasOverTwo(letters & ~own) || hasOverTwo(own & ~letters)) continue;
      const text = this.#textOf(number);
      if (text.length >= least && text.length <= most) yield text;
    }
  }

  #textOf(word: number): string {
    return this.#texts.toString("utf8", this.#starts[word], this.#starts[word + 1]);
  }
}

/** The letters a to z among these bytes, one bit each. An edit adds at most one and takes at most one away. */
function lettersIn(bytes: Uint8Array, from: number, end: number): number {
  let letters = 0;
  for (let at = from; at < end; at++) {
    const letter = (bytes[at] as number) - 0x61;
    if (letter >= 0 && letter < 26) letters |= 1 << letter;
  }
  return letters;
}

function hasOverTwo(bits: number): boolean {
  const withoutFirst = bits & (bits - 1);
  return (withoutFirst & (withoutFirst - 1)) !== 0;
}

interface DictionaryParts {
  readonly texts: Uint8Array;
  readonly slots: Uint8Array;
  readonly lengths: Uint32Array;
}

/** The parts of a dictionary of these words, in the order of their numbers. */
export function encodeDictionary(words: Iterable<string>): DictionaryParts {
  const list = [...words];
  const texts = Buffer.from(list.join(""));
  const lengths = Uint32Array.from(list, (word) => Buffer.byteLength(word));
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * list.length + 1)));
  const mask = slots.length - 1;
  let end = 0;
  lengths.forEach((length, word) => {
    end += length;
    let slot = hashOf(texts.subarray(end - length, end)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = word + 1;
  });
  return { texts, slots: new Uint8Array(slots.buffer), lengths };
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
