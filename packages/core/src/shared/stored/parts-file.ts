import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { systemCode } from "../errors.ts";
import { removeQuietly, writeWhole } from "../write-whole.ts";

/**
 * A cache file of several parts, read where they are needed. Each block has a checksum, tested when the block is read: a file
 * that is cut, damaged, of another version or not ours is never taken for a good one. Layout: kind and version, checksum of
 * the header, number of parts, their lengths, block checksums, parts.
 */

const MAGIC = 8;
const PARTS_AT = MAGIC + 8;
const BLOCK = 4096;
/** This many blocks are kept for the next read. */
const MAX_KEPT = 2048;
/** No file of ours has more. */
const MAX_PARTS = 64;
const OLD_MS = 90 * 24 * 60 * 60 * 1000;

/** A part of a file, or of the memory of a process that could not write one. */
export interface Part {
  readonly length: number;
  /** Throws `DamagedFile` where the file changed after it was opened. */
  read(at: number, length: number): Uint8Array;
}

/** The bytes of a part, in one piece or several. */
export type PartBytes = Uint8Array | readonly Uint8Array[];

export class DamagedFile extends Error {}

/** The parts, or `null` if there is no such file or it is not a good one. */
export function openParts(file: string, magic: string): readonly Part[] | null {
  const opened = open(file, magic);
  if (opened) closers.register(opened.blocks, opened.descriptor);
  return opened?.parts ?? null;
}

/**
 * A file of one part, read whole. `decode` may throw on bytes that it did not write, and answers `null` where they are not
 * about what is asked for. Whatever is wrong with it, the files that it was made from are there to be read.
 */
export function loadWhole<T>(
  file: string,
  magic: string,
  decode: (content: Buffer<ArrayBuffer>) => T | null,
): T | null {
  const opened = open(file, magic);
  const part = opened?.parts[0];
  try {
    return part ? decode(part.read(0, part.length) as Buffer<ArrayBuffer>) : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  } finally {
    if (opened) closeSync(opened.descriptor);
  }
}

function open(file: string, magic: string): (Content & { readonly descriptor: number }) | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    systemCode(error); // Whatever the system says, there is none.
    return null;
  }
  try {
    const content = readHeader(descriptor, magic);
    if (content) return { descriptor, ...content };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
  }
  closeSync(descriptor);
  return null;
}

interface Content {
  readonly blocks: Blocks;
  readonly parts: readonly Part[];
}

function readHeader(descriptor: number, magic: string): Content | null {
  const { size } = fstatSync(descriptor);
  if (size < PARTS_AT) return null;
  const start = readExactly(descriptor, 0, PARTS_AT);
  const count = start.readUInt32LE(MAGIC + 4);
  if (start.toString("latin1", 0, MAGIC) !== magic || count > MAX_PARTS) return null;
  const checksAt = PARTS_AT + 8 * count;
  if (size < checksAt) return null;
  const lengths = readExactly(descriptor, PARTS_AT, 8 * count);
  const partLengths = Array.from({ length: count }, (_, part) => lengths.readDoubleLE(8 * part));
  if (!partLengths.every((length) => Number.isSafeInteger(length) && length >= 0)) return null;
  const total = partLengths.reduce((sum, length) => sum + length, 0);
  const dataAt = checksAt + 4 * Math.ceil(total / BLOCK);
  if (size !== dataAt + total) return null;
  const header = readExactly(descriptor, MAGIC + 4, dataAt - MAGIC - 4);
  if (crc32(header) !== start.readUInt32LE(MAGIC)) return null;
  const checks = header.subarray(checksAt - MAGIC - 4);
  const blocks = new Blocks(descriptor, dataAt, total, checks);
  let from = 0;
  const parts = partLengths.map((length) => {
    from += length;
    return new FilePart(blocks, from - length, length);
  });
  return { blocks, parts };
}

/** Writes it whole or not at all, and removes what nobody has used for long. The reason where it cannot be written. */
export function saveParts(file: string, magic: string, parts: readonly PartBytes[]): string | undefined {
  const lengths = parts.map((part) => piecesOf(part).reduce((sum, { length }) => sum + length, 0));
  const pieces = parts.flatMap(piecesOf);
  const total = lengths.reduce((sum, length) => sum + length, 0);
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

/** Of what is gone or forgotten; one that is still in use is made again. */
function removeOld(folder: string): void {
  const limit = Date.now() - OLD_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit) removeQuietly(path);
  }
}

function piecesOf(part: PartBytes): readonly Uint8Array[] {
  return part instanceof Uint8Array ? [part] : part;
}

export function partInMemory(part: PartBytes): Part {
  const bytes = part instanceof Uint8Array ? part : Buffer.concat(part);
  return { length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

class FilePart implements Part {
  readonly #blocks: Blocks;
  readonly #from: number;
  readonly length: number;

  constructor(blocks: Blocks, from: number, length: number) {
    this.#blocks = blocks;
    this.#from = from;
    this.length = length;
  }

  read(at: number, length: number): Uint8Array {
    return this.#blocks.read(this.#from + at, length);
  }
}

/** Snapshots of a catalog come and go, so nobody could say when the file is no longer needed. */
const closers = new FinalizationRegistry<number>(closeSync);

class Blocks {
  readonly #descriptor: number;
  readonly #dataAt: number;
  readonly #total: number;
  readonly #checks: Buffer;
  readonly #kept = new Map<number, Uint8Array>();

  constructor(descriptor: number, dataAt: number, total: number, checks: Buffer) {
    this.#descriptor = descriptor;
    this.#dataAt = dataAt;
    this.#total = total;
    this.#checks = checks;
  }

  read(at: number, length: number): Uint8Array {
    const first = Math.floor(at / BLOCK);
    const last = Math.floor((at + Math.max(1, length) - 1) / BLOCK);
    const from = at - first * BLOCK;
    if (first !== last) return this.#load(first, last).subarray(from, from + length);
    let block = this.#kept.get(first);
    if (block === undefined) {
      block = this.#load(first, first);
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(first, block);
    }
    return block.subarray(from, from + length);
  }

  #load(first: number, last: number): Uint8Array {
    const from = first * BLOCK;
    const end = Math.min(this.#total, (last + 1) * BLOCK);
    const bytes = readExactly(this.#descriptor, this.#dataAt + from, Math.max(0, end - from));
    for (let block = first; block * BLOCK < end; block++) {
      const content = bytes.subarray(block * BLOCK - from, (block + 1) * BLOCK - from);
      if (crc32(content) !== this.#checks.readUInt32LE(4 * block)) throw new DamagedFile();
    }
    return bytes;
  }
}

function readExactly(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    let count: number;
    try {
      count = readSync(descriptor, bytes, done, length - done, at + done);
    } catch (error) {
      throw new DamagedFile(systemCode(error));
    }
    if (count === 0) throw new DamagedFile();
    done += count;
  }
  return bytes;
}
