/** Numbers in a slot: hash, length, letters (four in each), value. One slot is half a cache line, and most look-ups read only one. */
const SLOT = 8;
const LETTERS_AT = 2;
const VALUE_AT = SLOT - 1;
/** A longer piece does not fit into a slot. */
export const LONGEST_PIECE = 4 * (VALUE_AT - LETTERS_AT);
/** Texts are untrusted, so the number of pieces is bounded. */
const MAX_PIECES = 1 << 19;

/** A hash table of pieces of ASCII text, each with a number. A look-up needs no string. */
export class PieceTable {
  #slots = new Int32Array(SLOT << 12);
  #count = 0;
  readonly #key = new Int32Array(SLOT);

  /** The value of `units[from..end]`, or `undefined`. */
  find(units: Uint16Array, from: number, end: number): number | undefined {
    const words = this.#pack(units, from, end);
    const at = this.#place(words);
    return this.#slots[at + 1] === 0 ? undefined : this.#slots[at + VALUE_AT];
  }

  get isFull(): boolean {
    return this.#count >= MAX_PIECES;
  }

  clear(): void {
    this.#count = 0;
    this.#slots.fill(0);
  }

  /** Adds a piece that is not there. */
  add(units: Uint16Array, from: number, end: number, value: number): void {
    if (2 * SLOT * this.#count >= this.#slots.length) this.#grow();
    this.#count++;
    const at = this.#place(this.#pack(units, from, end));
    this.#key[VALUE_AT] = value;
    this.#slots.set(this.#key, at);
  }

  /** Writes hash, length and letters into the key. Answers where the letters end. */
  #pack(units: Uint16Array, from: number, end: number): number {
    const key = this.#key;
    let hash = end - from;
    key[1] = hash;
    let last = LETTERS_AT;
    let at = from;
    for (; at + 4 <= end; at += 4) {
      const four =
        (units[at] as number) |
        ((units[at + 1] as number) << 8) |
        ((units[at + 2] as number) << 16) |
        ((units[at + 3] as number) << 24);
      key[last++] = four;
      hash = Math.imul(hash ^ four, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    if (at < end) {
      let rest = units[at] as number;
      if (at + 1 < end) rest |= (units[at + 1] as number) << 8;
      if (at + 2 < end) rest |= (units[at + 2] as number) << 16;
      key[last++] = rest;
      hash = Math.imul(hash ^ rest, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    key[0] = hash ^ (hash >>> 13);
    return last;
  }

  /** Where the key is, or the free slot for it. */
  #place(last: number): number {
    const slots = this.#slots;
    const key = this.#key;
    const mask = slots.length - 1;
    const hash = key[0] as number;
    const length = key[1] as number;
    for (let at = (hash * SLOT) & mask; ; at = (at + SLOT) & mask) {
      if (slots[at + 1] === 0) return at;
      if (slots[at] !== hash || slots[at + 1] !== length) continue;
      let i = LETTERS_AT;
      while (i < last && slots[at + i] === key[i]) i++;
      if (i === last) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(2 * old.length);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 1] === 0) continue;
      let at = ((old[from] as number) * SLOT) & mask;
      while (slots[at + 1] !== 0) at = (at + SLOT) & mask;
      slots.set(old.subarray(from, from + SLOT), at);
    }
    this.#slots = slots;
  }
}
