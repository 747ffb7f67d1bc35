import { tokenize } from "./tokenize.ts";

/** Numbers in a slot: hash, length, letters (four in each), value. One slot is half a cache line, and most look-ups read only one. */
const SLOT = 8;
const LETTERS_AT = 2;
const VALUE_AT = SLOT - 1;
/** A longer piece does not fit into a slot. */
const LONGEST_PIECE = 4 * (VALUE_AT - LETTERS_AT);
/** Texts are untrusted, so the number of pieces is bounded. */
const MAX_PIECES = 1 << 19;

/** A hash table of pieces of ASCII text, each with a number. A look-up needs no string. */
class PieceTable {
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
    for (let at = from; at < end; at += 4) {
      let four = units[at] as number;
      if (at + 1 < end) four |= (units[at + 1] as number) << 8;
      if (at + 2 < end) four |= (units[at + 2] as number) << 16;
      if (at + 3 < end) four |= (units[at + 3] as number) << 24;
      key[last++] = four;
      hash = Math.imul(hash ^ four, 0x9e3779b1);
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

/** Pieces of text: `tokenize` gives the same for a text and for its pieces one after the other. */
const CUTS = marks('()[]{}<>"`,;:!?=|*~^$%\\');
for (let unit = 0; unit <= 0x20; unit++) CUTS[unit] = 1;
/** Marks that mean nothing at the beginning of a piece, and at its end. */
const LEADING = marks("-_/'&@");
const TRAILING = marks("-_/'&@.");
const SKIPPED = CUTS.map((isCut, unit) => isCut | (LEADING[unit] as number));

function marks(text: string): Uint8Array {
  const set = new Uint8Array(0x80);
  for (const mark of text) set[mark.charCodeAt(0)] = 1;
  return set;
}

/** Texts are untrusted, so what is remembered of them is bounded. */
const MAX_OTHER = 1 << 16;
const MAX_OTHER_LENGTH = 64;

/**
 * Numbers the words of texts in the order of first use. Nearly every piece was seen before, so `tokenize` is called for new
 * ones only.
 */
export class WordReader {
  readonly words = new Map<string, number>();
  /** The text that is read: characters of a string are slow to read one by one. */
  units = new Uint16Array(1 << 12);
  #bytes = Buffer.from(this.units.buffer);
  #text = "";
  readonly #pieces = new PieceTable();
  /** Of pieces with not exactly one word, which have their place here as a negative number. */
  #lists: (readonly number[])[] = [];
  /** Pieces with other than ASCII, and long ones. */
  readonly #others = new Map<string, readonly number[]>();

  /** Begins with the words of an earlier index, so that they keep their numbers. */
  constructor(words: Iterable<string> = []) {
    for (const word of words) this.words.set(word, this.words.size);
  }

  /** Adds the numbers of the words of a text to a list. */
  read(text: string, into: number[]): void {
    this.load(text);
    this.readPart(0, text.length, into);
  }

  /** Sets the text of `readPart` and `units`. */
  load(text: string): void {
    if (text.length > this.units.length) {
      this.units = new Uint16Array(2 * text.length);
      this.#bytes = Buffer.from(this.units.buffer);
    }
    this.#bytes.write(text, "utf16le");
    this.#text = text;
  }

  /** The same for a part of the loaded text, as if there were no other. */
  readPart(start: number, length: number, into: number[]): void {
    const { units } = this;
    for (let at = start; at < length; ) {
      let unit = units[at] as number;
      if (unit < 0x80 && SKIPPED[unit] === 1) {
        at++;
        continue;
      }
      let end = at;
      for (; end < length; end++) {
        unit = units[end] as number;
        if (unit >= 0x80 || CUTS[unit] === 1) break;
      }
      if (end < length && unit >= 0x80) {
        while (end < length && (units[end] as number) > 0x20) end++;
        this.#readOther(at, end, into);
      } else {
        let last = end;
        while (last > at && TRAILING[units[last - 1] as number] === 1) last--;
        if (last - at > LONGEST_PIECE) this.#readOther(at, last, into);
        else if (last > at) this.#readPiece(at, last, into);
      }
      at = end;
    }
  }

  numberOf(word: string): number {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    this.words.set(ownCopy(word), this.words.size);
    return this.words.size - 1;
  }

  #readPiece(from: number, end: number, into: number[]): void {
    const value = this.#pieces.find(this.units, from, end) ?? this.#addPiece(from, end);
    if (value >= 0) into.push(value);
    else for (const number of this.#lists[-value - 1] ?? []) into.push(number);
  }

  #addPiece(from: number, end: number): number {
    const numbers = this.#tokenize(this.#text.slice(from, end));
    if (this.#pieces.isFull) {
      this.#pieces.clear();
      this.#lists = [];
    }
    const value = numbers.length === 1 ? (numbers[0] as number) : -this.#lists.push(numbers);
    this.#pieces.add(this.units, from, end, value);
    return value;
  }

  #readOther(from: number, end: number, into: number[]): void {
    const piece = this.#text.slice(from, end);
    let numbers = this.#others.get(piece);
    if (numbers === undefined) {
      numbers = this.#tokenize(piece);
      if (this.#others.size >= MAX_OTHER) this.#others.clear();
      if (piece.length <= MAX_OTHER_LENGTH) this.#others.set(ownCopy(piece), numbers);
    }
    for (const number of numbers) into.push(number);
  }

  #tokenize(text: string): number[] {
    return tokenize(ownCopy(text)).map((word) => this.numberOf(word));
  }
}

/** The engine keeps the whole text alive for a part of it, unless the part is copied. */
function ownCopy(text: string): string {
  return text.length > 12 ? Buffer.from(text, "utf16le").toString("utf16le") : text;
}
