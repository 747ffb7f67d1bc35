import { tokenize } from "./tokenize.ts";

/** Pieces of text: `tokenize` gives the same for a text and for its pieces one after the other. */
const CUTS = new Uint8Array(0x80);
for (let unit = 0; unit <= 0x20; unit++) CUTS[unit] = 1;
for (const mark of '()[]{}<>"`,;:!?=|*~^$%\\') CUTS[mark.charCodeAt(0)] = 1;
/** Marks that mean nothing at the beginning of a piece, and at its end. */
const LEADING = marks("-_/'&@");
const TRAILING = marks("-_/'&@.");

function marks(text: string): Uint8Array {
  const set = new Uint8Array(0x80);
  for (const mark of text) set[mark.charCodeAt(0)] = 1;
  return set;
}

/** A longer piece is an address or data, and seldom comes again. */
const MAX_PIECE = 40;
/** Texts are untrusted, so what is remembered of them is bounded. */
const MAX_KNOWN = 1 << 20;
const MAX_OTHER = 1 << 15;

/**
 * Numbers the words of texts in the order of first use. Nearly every piece was seen before, so `tokenize` is called for new
 * ones only; the known ones are in a hash table over plain numbers, which needs no string for a look-up.
 */
export class WordReader {
  readonly words = new Map<string, number>();
  #slots = new Int32Array(1 << 12).fill(-1);
  #count = 0;
  #hashes = new Int32Array(1 << 11);
  /** Where the letters and the words of a piece end; it begins where the one before ends. */
  #letterEnds = new Uint32Array(1 << 11);
  #wordEnds = new Uint32Array(1 << 11);
  #letters = new Uint8Array(1 << 14);
  #numbers = new Uint32Array(1 << 12);
  /** The text that is read: characters of a part of a string are slow to read one by one. */
  #buffer = Buffer.alloc(1 << 13);
  #units = new Uint16Array(this.#buffer.buffer, this.#buffer.byteOffset, 1 << 12);
  /** Pieces with other than ASCII. */
  readonly #others = new Map<string, readonly number[]>();

  /** Begins with the words of an earlier index, so that they keep their numbers. */
  constructor(words: Iterable<string> = []) {
    for (const word of words) this.words.set(word, this.words.size);
  }

  /** Adds the numbers of the words of a text to a list. */
  read(text: string, into: number[]): void {
    const { length } = text;
    const units = this.#unitsOf(text);
    for (let at = 0; at < length; ) {
      let unit = units[at] as number;
      if (unit < 0x80 && (CUTS[unit] === 1 || LEADING[unit] === 1)) {
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
        this.#readOther(text.slice(at, end), into);
      } else {
        this.#readPiece(text, at, end, into);
      }
      at = end;
    }
  }

  #unitsOf(text: string): Uint16Array {
    if (2 * text.length > this.#buffer.length) {
      this.#buffer = Buffer.alloc(4 * text.length);
      this.#units = new Uint16Array(this.#buffer.buffer, this.#buffer.byteOffset, 2 * text.length);
    }
    this.#buffer.write(text, "utf16le");
    return this.#units;
  }

  #readPiece(text: string, from: number, last: number, into: number[]): void {
    const units = this.#units;
    let end = last;
    while (end > from && TRAILING[units[end - 1] as number] === 1) end--;
    if (end === from) return;
    if (end - from > MAX_PIECE) {
      for (const word of tokenize(text.slice(from, end))) into.push(this.numberOf(word));
      return;
    }
    let hash = 0x811c9dc5;
    for (let i = from; i < end; i++) hash = Math.imul(hash ^ (units[i] as number), 0x01000193);
    const piece = this.#find(text, from, end, hash);
    const until = this.#wordEnds[piece] as number;
    for (let i = piece === 0 ? 0 : (this.#wordEnds[piece - 1] as number); i < until; i++)
      into.push(this.#numbers[i] as number);
  }

  #readOther(piece: string, into: number[]): void {
    let numbers = this.#others.get(piece);
    if (numbers === undefined) {
      numbers = tokenize(piece).map((word) => this.numberOf(word));
      if (this.#others.size >= MAX_OTHER) this.#others.clear();
      if (piece.length <= MAX_PIECE) this.#others.set(ownCopy(piece), numbers);
    }
    for (const number of numbers) into.push(number);
  }

  numberOf(word: string): number {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    this.words.set(ownCopy(word), this.words.size);
    return this.words.size - 1;
  }

  #find(text: string, from: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const piece = this.#slots[slot] as number;
      if (piece < 0) return this.#add(text.slice(from, end), hash);
      if (this.#hashes[piece] === hash && this.#isSame(piece, from, end)) return piece;
    }
  }

  #isSame(piece: number, from: number, end: number): boolean {
    const start = piece === 0 ? 0 : (this.#letterEnds[piece - 1] as number);
    if ((this.#letterEnds[piece] as number) - start !== end - from) return false;
    for (let i = from; i < end; i++) if (this.#letters[start + i - from] !== this.#units[i]) return false;
    return true;
  }

  #add(written: string, hash: number): number {
    if (this.#count >= MAX_KNOWN) {
      this.#count = 0;
      this.#slots.fill(-1);
    }
    if (2 * this.#count >= this.#slots.length) this.#rehash();
    const piece = this.#count++;
    const text = ownCopy(written);
    const numbers = tokenize(text).map((word) => this.numberOf(word));
    const letterStart = piece === 0 ? 0 : (this.#letterEnds[piece - 1] as number);
    const wordStart = piece === 0 ? 0 : (this.#wordEnds[piece - 1] as number);
    this.#letters = withRoom(this.#letters, letterStart + text.length);
    this.#numbers = withRoom(this.#numbers, wordStart + numbers.length);
    this.#hashes = withRoom(this.#hashes, piece + 1);
    this.#letterEnds = withRoom(this.#letterEnds, piece + 1);
    this.#wordEnds = withRoom(this.#wordEnds, piece + 1);
    for (let i = 0; i < text.length; i++) this.#letters[letterStart + i] = text.charCodeAt(i);
    this.#numbers.set(numbers, wordStart);
    this.#hashes[piece] = hash;
    this.#letterEnds[piece] = letterStart + text.length;
    this.#wordEnds[piece] = wordStart + numbers.length;
    this.#place(piece);
    return piece;
  }

  #place(piece: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes[piece] as number;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while ((this.#slots[slot] as number) >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = piece;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let piece = 0; piece < this.#count; piece++) this.#place(piece);
  }
}

/** The engine keeps the whole text alive for a part of it, unless the part is copied. */
function ownCopy(text: string): string {
  return text.length > 12 ? Buffer.from(text, "utf16le").toString("utf16le") : text;
}

function withRoom<T extends Uint8Array | Uint32Array | Int32Array>(numbers: T, size: number): T {
  if (size <= numbers.length) return numbers;
  const Kind = numbers.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(size, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}
