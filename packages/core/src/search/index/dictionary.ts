import { type Part, partInMemory } from "../../shared/stored/parts-file.ts";

/** Word → its number, by a hash table over the bytes of the words, so that a look-up reads a few bytes of a file. */
export class Dictionary {
  #texts: Part;
  #slots: Part;
  /** Look-ups so far. */
  #asked = 0;
  /** Where the bytes of a word begin; has one element more than there are words. */
  readonly #starts: Uint32Array;

  constructor(texts: Part, slots: Part, starts: Uint32Array) {
    this.#texts = texts;
    this.#slots = slots;
    this.#starts = starts;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }

  get(word: string): number | undefined {
    if (++this.#asked === MANY_ASKED) this.#readWhole();
    const bytes = Buffer.from(word);
    const count = this.#slots.length / SLOT;
    if (count === 0) return;
    for (let slot = hashOf(bytes) & (count - 1); ; slot = (slot + 1) & (count - 1)) {
      const number = readSlot(this.#slots, slot);
      if (number === 0) return;
      if (bytes.equals(this.#bytesOf(number - 1))) return number - 1;
    }
  }

  /** All words, by number. */
  all(): string[] {
    const texts = Buffer.from(this.#texts.read(0, this.#texts.length));
    return Array.from({ length: this.size }, (_, word) =>
      texts.toString("utf8", this.#starts[word], this.#starts[word + 1]),
    );
  }

  /** The words of at least and at most so many letters that begin with one of the first two of a word and may be two edits from it. */
  *near(word: string, least: number, most: number): Generator<string> {
    if (this.#asked < MANY_ASKED) this.#readWhole();
    const bytes = this.#texts.read(0, this.#texts.length);
    const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
      const text = texts.toString("utf8", from, end);
      if (text.length >= least && text.length <= most) yield text;
    }
  }

  #readWhole(): void {
    this.#asked = MANY_ASKED;
    this.#texts = partInMemory(this.#texts.read(0, this.#texts.length));
    this.#slots = partInMemory(this.#slots.read(0, this.#slots.length));
  }

  #bytesOf(word: number): Uint8Array {
    const from = this.#starts[word] as number;
    return this.#texts.read(from, (this.#starts[word + 1] as number) - from);
  }
}

/** From so many look-ups on it is faster to have everything in memory. */
const MANY_ASKED = 2_000;

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

/** Bytes of a slot: the number of the word plus one, or 0. */
const SLOT = 4;

function readSlot(slots: Part, slot: number): number {
  const bytes = slots.read(slot * SLOT, SLOT);
  return (
    (bytes[0] as number) |
    ((bytes[1] as number) << 8) |
    ((bytes[2] as number) << 16) |
    ((bytes[3] as number) << 24)
  );
}

export interface DictionaryParts {
  readonly texts: Uint8Array;
  readonly slots: Uint8Array;
  readonly lengths: Uint32Array;
}

/** The parts of a dictionary of these words, in the order of their numbers. */
export function encodeDictionary(words: Iterable<string>, count: number): DictionaryParts {
  const list = [...words];
  const texts = Buffer.from(list.join(""));
  const lengths = Uint32Array.from(list, (word) => Buffer.byteLength(word));
  const slotCount = 2 ** Math.ceil(Math.log2(2 * count + 1));
  const slots = Buffer.alloc(SLOT * slotCount);
  let at = 0;
  for (let word = 0; word < count; word++) {
    const end = at + (lengths[word] as number);
    let slot = hashOf(texts.subarray(at, end)) & (slotCount - 1);
    while (slots.readUInt32LE(SLOT * slot) !== 0) slot = (slot + 1) & (slotCount - 1);
    slots.writeUInt32LE(word + 1, SLOT * slot);
    at = end;
  }
  return { texts, slots, lengths };
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
