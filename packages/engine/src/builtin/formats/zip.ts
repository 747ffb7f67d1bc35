import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { Failure } from "../failure.ts";
import { readFully } from "../inputs.ts";

/** One file in an archive, as the central directory tells of it. */
export interface ZipEntry {
  readonly name: string;
  readonly packed: number;
  readonly unpacked: number;
  readonly encrypted: boolean;
  readonly method: number;
  readonly headerAt: number;
}

const MAX_ENTRIES = 10_000;
const MAX_RATIO = 200;
/** Smaller files are no danger: an empty spreadsheet table compresses better than 200 to 1. */
const RATIO_COUNTS_FROM = 1 << 20;
const MAX_DIRECTORY_BYTES = 8 << 20;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const HEADER_SIGNATURE = 0x04034b50;
const inflate = promisify(inflateRaw);

/** What an archive is said to hold, without unpacking a byte; `null` where the directory cannot be read. */
export async function readZipDirectory(file: FileHandle, size: number): Promise<readonly ZipEntry[] | null> {
  const tail = Buffer.alloc(Math.min(size, 0xffff + 22));
  const tailStart = size - tail.length;
  await readFully(file, tail, tailStart);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE || at + 22 + tail.readUInt16LE(at + 20) !== tail.length)
      continue;
    const length = tail.readUInt32LE(at + 12);
    const start = tail.readUInt32LE(at + 16);
    const count = tail.readUInt16LE(at + 10);
    // 0xffff and its like stand for ZIP64, which no office document of a size that is read here needs.
    if (length > MAX_DIRECTORY_BYTES || start + length > tailStart + at) return null;
    const directory = Buffer.alloc(length);
    await readFully(file, directory, start);
    return parseDirectory(directory, count);
  }
  return null;
}

function parseDirectory(directory: Buffer, count: number): readonly ZipEntry[] | null {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (next > directory.length) return null;
    entries.push({
      name: directory.toString("utf8", at + 46, nameEnd),
      packed: directory.readUInt32LE(at + 20),
      unpacked: directory.readUInt32LE(at + 24),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      headerAt: directory.readUInt32LE(at + 42),
    });
    at = next;
  }
  return entries.length % 0x10000 === count ? entries : null;
}

/** Refuses what is said to unpack to far more than it is, before anything is unpacked. */
export function refuseBomb(entries: readonly ZipEntry[]): void {
  if (entries.length > MAX_ENTRIES) {
    throw new Failure(
      "TOO_LARGE",
      `The archive has ${entries.length} entries; at most ${MAX_ENTRIES} are read.`,
    );
  }
  let packed = 0;
  let unpacked = 0;
  for (const entry of entries) {
    packed += entry.packed;
    unpacked += entry.unpacked;
  }
  if (unpacked > RATIO_COUNTS_FROM && unpacked > packed * MAX_RATIO) {
    throw new Failure(
      "TOO_LARGE",
      `The archive unpacks to more than ${MAX_RATIO} times its size, which ordinary documents never do.`,
    );
  }
}

/**
 * Unpacks one entry, never to more than the directory said: a directory that lies is found out after so many bytes.
 * `null` where the entry is damaged.
 */
export async function unpackEntry(file: FileHandle, size: number, entry: ZipEntry): Promise<Buffer | null> {
  const header = Buffer.alloc(30);
  if ((await readFully(file, header, entry.headerAt)) < 30) return null;
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) return null;
  const start = entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.packed > size) return null;
  const packed = Buffer.alloc(entry.packed);
  await readFully(file, packed, start);
  if (entry.method === 0) return entry.packed === entry.unpacked ? packed : null;
  if (entry.method !== 8) return null;
  if (entry.unpacked === 0) return Buffer.alloc(0);
  try {
    const bytes = await inflate(packed, { maxOutputLength: entry.unpacked });
    return bytes.length === entry.unpacked ? bytes : null;
  } catch {
    // Whatever zlib dislikes, too much output included, the entry is not what the directory says.
    return null;
  }
}
