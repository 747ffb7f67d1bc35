import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { tryOr } from "../errors.ts";
import { removeQuietly, writeWhole } from "../write-whole.ts";

/**
 * A cache file of parts, each block with a checksum that is tested when it is read: a file that is cut, damaged or not ours
 * is never believed. Layout: kind and version, header checksum, number of parts, lengths, block checksums, parts.
 */

const MAGIC = 8;
const PARTS_AT = MAGIC + 8;
const BLOCK = 4096;
/** Larger pieces are not kept for the next read. */
const MAX_KEPT = 16;
const OLD_MS = 90 * 24 * 60 * 60 * 1000;

/** A part of a file, or of the memory of a process that could not write one. */
export interface Part {
  readonly length: number;
  read(at: number, length: number): Uint8Array;
}

export interface StoredParts {
  readonly parts: readonly Part[];
  /** Whether the file turned out to be damaged when a part was read. What was read there is zeros. */
  isDamaged(): boolean;
}

export type PartBytes = Uint8Array | readonly Uint8Array[];

export function openParts(file: string, magic: string): StoredParts | null {
  const blocks = open(file, magic);
  if (blocks) closers.register(blocks, blocks.descriptor);
  return blocks;
}

/** `decode` may throw, or answer `null` for content about something else: the original files can always be read. */
export function loadWhole<T>(
  file: string,
  magic: string,
  decode: (content: Buffer<ArrayBuffer>) => T | null,
): T | null {
  const blocks = open(file, magic);
  if (!blocks) return null;
  const part = blocks.parts[0];
  const content = part?.read(0, part.length);
  closeSync(blocks.descriptor);
  if (!content || blocks.isDamaged()) return null;
  try {
    return decode(content as Buffer<ArrayBuffer>);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function open(file: string, magic: string): Blocks | null {
  // Whatever the error, the answer is the fallback.
  const descriptor = tryOr(() => openSync(file, "r"), null);
  if (descriptor === null) return null;
  const blocks = readHeader(descriptor, magic);
  if (!blocks) closeSync(descriptor);
  return blocks;
}

function readHeader(descriptor: number, magic: string): Blocks | null {
  const { size } = fstatSync(descriptor);
  const start = size < PARTS_AT ? null : readExactly(descriptor, 0, PARTS_AT);
  const count = start?.readUInt32LE(MAGIC + 4) ?? 0;
  const checksAt = PARTS_AT + 8 * count;
  if (start?.toString("latin1", 0, MAGIC) !== magic || size < checksAt) return null;
  const list = readExactly(descriptor, PARTS_AT, 8 * count);
  const lengths = Array.from({ length: count }, (_, part) => list?.readDoubleLE(8 * part) ?? -1);
  const total = sum(lengths);
  const dataAt = checksAt + 4 * Math.ceil(total / BLOCK);
  if (size !== dataAt + total) return null;
  const header = readExactly(descriptor, MAGIC + 4, dataAt - MAGIC - 4);
  if (!header || crc32(header) !== start.readUInt32LE(MAGIC)) return null;
  return new Blocks(descriptor, dataAt, lengths, header.subarray(checksAt - MAGIC - 4));
}

/** Whole or not at all; answers the reason where it cannot be written. Removes what nobody has used for long. */
export function saveParts(file: string, magic: string, parts: readonly PartBytes[]): string | undefined {
  const lengths = parts.map((part) => sum([part].flat().map(({ length }) => length)));
  const pieces = parts.flat();
  const total = sum(lengths);
  const checksAt = PARTS_AT + 8 * parts.length;
  const header = Buffer.alloc(checksAt + 4 * Math.ceil(total / BLOCK));
  header.write(magic, "latin1");
  header.writeUInt32LE(parts.length, MAGIC + 4);
  for (const [i, length] of lengths.entries()) header.writeDoubleLE(length, PARTS_AT + 8 * i);
  let at = 0;
  let check = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const until = Math.min(piece.length, from + BLOCK - (at % BLOCK));
      check = crc32(piece.subarray(from, until), check);
      at += until - from;
      from = until;
      if (at % BLOCK !== 0 && at < total) continue;
      header.writeUInt32LE(check, checksAt + 4 * (Math.ceil(at / BLOCK) - 1));
      check = 0;
    }
  }
  header.writeUInt32LE(crc32(header.subarray(MAGIC + 4)), MAGIC);
  const failure = writeWhole(file, header, ...pieces);
  if (failure === undefined) removeOld(dirname(file));
  return failure;
}

function removeOld(folder: string): void {
  const limit = Date.now() - OLD_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit) removeQuietly(path);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function partInMemory(part: PartBytes): Part {
  const bytes = part instanceof Uint8Array ? part : Buffer.concat(part);
  return { length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

/** Nobody knows when a snapshot is no longer used. */
const closers = new FinalizationRegistry<number>(closeSync);

class Blocks implements StoredParts {
  readonly descriptor: number;
  readonly parts: readonly Part[];
  readonly #dataAt: number;
  readonly #total: number;
  readonly #checks: Buffer;
  #isDamaged = false;
  /** The last blocks that were read: what is read next is often beside it. */
  #kept: { readonly first: number; readonly last: number; readonly bytes: Uint8Array } | undefined;

  constructor(descriptor: number, dataAt: number, lengths: readonly number[], checks: Buffer) {
    this.descriptor = descriptor;
    this.#dataAt = dataAt;
    this.#checks = checks;
    let end = 0;
    this.parts = lengths.map((length) => {
      const from = end;
      end += length;
      return { length, read: (at, count) => this.#read(from + at, count) };
    });
    this.#total = end;
  }

  isDamaged(): boolean {
    return this.#isDamaged;
  }

  #read(at: number, length: number): Uint8Array {
    const first = Math.floor(at / BLOCK);
    const last = Math.floor((at + Math.max(1, length) - 1) / BLOCK);
    let kept = this.#kept;
    if (!kept || first < kept.first || last > kept.last) {
      kept = { first, last, bytes: this.#load(first, last) };
      if (last - first < MAX_KEPT) this.#kept = kept;
    }
    const from = at - kept.first * BLOCK;
    return kept.bytes.subarray(from, from + length);
  }

  #load(first: number, last: number): Uint8Array {
    const from = first * BLOCK;
    const end = Math.min(this.#total, (last + 1) * BLOCK);
    const bytes = readExactly(this.descriptor, this.#dataAt + from, Math.max(0, end - from));
    for (let block = first; bytes && block * BLOCK < end; block++) {
      const content = bytes.subarray(block * BLOCK - from, (block + 1) * BLOCK - from);
      if (crc32(content) === this.#checks.readUInt32LE(4 * block)) continue;
      content.fill(0);
      this.#isDamaged = true;
    }
    this.#isDamaged ||= bytes === null;
    return bytes ?? Buffer.alloc(Math.max(0, end - from));
  }
}

/** `null` where the file is shorter, or the system cannot read it. */
function readExactly(descriptor: number, at: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    // Whatever the system says, there is nothing more.
    const count = tryOr(() => readSync(descriptor, bytes, done, length - done, at + done), 0);
    if (count === 0) return null;
    done += count;
  }
  return bytes;
}
