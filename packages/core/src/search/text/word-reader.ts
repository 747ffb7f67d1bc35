import { isWordUnit, joinedWord, suffixLength, tokenize } from "./tokenize.ts";

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

/** Pieces of text: `tokenize` gives the same for a text and for its pieces one after the other. */
const CUTS = marks('()[]{}<>"`,;:!?=|*~^$%\\');
for (let unit = 0; unit <= 0x20; unit++) CUTS[unit] = 1;
/** Marks that mean nothing at the beginning of a piece, and at its end. */
const LEADING = marks("-_/'&@");
const TRAILING = marks("-_/'&@.");
const SKIPPED = CUTS.map((isCut, unit) => isCut | (LEADING[unit] as number));
/** With one of these a piece may be a name such as "C++" or ".NET". */
const SIGNS = marks("#+.");
const APOSTROPHE = 0x27;

function marks(text: string): Uint8Array {
  const set = new Uint8Array(0x80);
  for (const mark of text) set[mark.charCodeAt(0)] = 1;
  return set;
}

/** Texts are untrusted, so what is remembered of them is bounded. */
const MAX_OTHER = 1 << 15;
const MAX_OTHER_LENGTH = 40;

/**
 * Numbers the words of texts in the order of first use. Nearly every piece was seen before, so `tokenize` is called for new
 * words only.
 */
export class WordReader {
  readonly words = new Map<string, number>();
  /** The text that is read: characters of a string are slow to read one by one. */
  units = new Uint16Array(1 << 12);
  #bytes = Buffer.from(this.units.buffer);
  #text = "";
  #pieces = new PieceTable();
  /** Of pieces with not exactly one word: how many, then the words. A piece has its place as a negative number. */
  #lists = new Uint32Array(1 << 12);
  #listsEnd = 0;
  /** Pieces with other than ASCII. */
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
        this.#readOther(this.#text.slice(at, end), into);
      } else {
        this.#readPiece(at, end, into);
      }
      at = end;
    }
  }

  /** Forgets everything, and numbers words from 0 again. */
  restart(): void {
    this.words.clear();
    this.#others.clear();
    this.#pieces.clear();
    this.#listsEnd = 0;
  }

  /** Frees what is only for speed. */
  forgetPieces(): void {
    this.#pieces = new PieceTable();
    this.#listsEnd = 0;
    this.#others.clear();
  }

  numberOf(word: string): number {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    this.words.set(ownCopy(word), this.words.size);
    return this.words.size - 1;
  }

  #readPiece(from: number, last: number, into: number[]): void {
    const { units } = this;
    let end = last;
    while (end > from && TRAILING[units[end - 1] as number] === 1) end--;
    if (end === from) return;
    if (end - from > LONGEST_PIECE) {
      this.#split(from, end, into);
      return;
    }
    const value = this.#pieces.find(units, from, end);
    if (value !== undefined) {
      this.#addNumbers(value, into);
      return;
    }
    const numbers: number[] = [];
    this.#split(from, end, numbers);
    // A piece that is one word has been added by itself.
    if (!this.#isWord(from, end)) this.#addPiece(from, end, numbers);
    for (const number of numbers) into.push(number);
  }

  #isWord(from: number, end: number): boolean {
    let at = from;
    while (at < end && isWordUnit(this.units[at] as number)) at++;
    return at === end;
  }

  #readOther(piece: string, into: number[]): void {
    let numbers = this.#others.get(piece);
    if (numbers === undefined) {
      numbers = this.#tokenize(piece);
      if (this.#others.size >= MAX_OTHER) this.#others.clear();
      if (piece.length <= MAX_OTHER_LENGTH) this.#others.set(ownCopy(piece), numbers);
    }
    for (const number of numbers) into.push(number);
  }

  /** The words of an ASCII piece, as `tokenize` finds them, with a look-up for each. */
  #split(from: number, end: number, into: number[]): void {
    if (this.#mayHaveSign(from, end)) {
      for (const number of this.#tokenize(this.#text.slice(from, end))) into.push(number);
      return;
    }
    const { units } = this;
    let beforeStart = from;
    let beforeEnd = -1;
    let gapAt = -1;
    for (let at = from; at < end; at++) {
      if (!isWordUnit(units[at] as number)) continue;
      let stop = at + 1;
      while (stop < end && isWordUnit(units[stop] as number)) stop++;
      this.#readWord(at, stop, into);
      if (gapAt >= 0 && at === gapAt + 1) {
        const text = this.#text;
        const joined = joinedWord(
          text.slice(beforeStart, beforeEnd),
          text.charAt(gapAt),
          text.slice(at, stop),
        );
        if (joined !== undefined) into.push(this.numberOf(joined));
      }
      beforeStart = at;
      beforeEnd = stop;
      if (stop < end && units[stop] === APOSTROPHE)
        stop += suffixLength(this.#text.slice(stop, Math.min(end, stop + 4)));
      gapAt = stop;
      at = stop - 1;
    }
  }

  /** A run of letters and digits. */
  #readWord(from: number, end: number, into: number[]): void {
    const isShort = end - from <= LONGEST_PIECE;
    const value = isShort ? this.#pieces.find(this.units, from, end) : undefined;
    if (value !== undefined) {
      this.#addNumbers(value, into);
      return;
    }
    const numbers = this.#tokenize(this.#text.slice(from, end));
    if (isShort) this.#addPiece(from, end, numbers);
    for (const number of numbers) into.push(number);
  }

  #mayHaveSign(from: number, end: number): boolean {
    const { units } = this;
    for (let at = from; at < end; at++)
      if (SIGNS[units[at] as number] === 1 && SIGN.test(this.#text.slice(at, Math.min(end, at + 4))))
        return true;
    return false;
  }

  #tokenize(text: string): number[] {
    return tokenize(ownCopy(text)).map((word) => this.numberOf(word));
  }

  #addNumbers(value: number, into: number[]): void {
    if (value >= 0) {
      into.push(value);
      return;
    }
    const lists = this.#lists;
    const start = -value;
    const until = start + (lists[start - 1] as number);
    for (let i = start; i < until; i++) into.push(lists[i] as number);
  }

  #addPiece(from: number, end: number, numbers: readonly number[]): void {
    if (this.#pieces.isFull) {
      this.#pieces.clear();
      this.#listsEnd = 0;
    }
    const [one] = numbers;
    if (numbers.length === 1 && one !== undefined) {
      this.#pieces.add(this.units, from, end, one);
      return;
    }
    const start = this.#listsEnd + 1;
    this.#listsEnd = start + numbers.length;
    if (this.#listsEnd > this.#lists.length) {
      const larger = new Uint32Array(2 * this.#listsEnd);
      larger.set(this.#lists);
      this.#lists = larger;
    }
    this.#lists[start - 1] = numbers.length;
    this.#lists.set(numbers, start);
    this.#pieces.add(this.units, from, end, -start);
  }
}

const SIGN = /^(?:#|\+\+|\.net)/i;

/** The engine keeps the whole text alive for a part of it, unless the part is copied. */
function ownCopy(text: string): string {
  return text.length > 12 ? Buffer.from(text, "utf16le").toString("utf16le") : text;
}
