import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { KnackError } from "@knack/core";
import { systemCode, writeError } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { openPromise, type Entry as ZipEntry } from "yauzl";
import { executionError } from "../options.ts";
import { download } from "./download.ts";
import { ARCHIVE } from "./parse-source.ts";
import { throwIfAborted } from "./scratch.ts";
import {
  type ArchiveSource,
  boundedPath,
  type Fetched,
  type FetchPlace,
  publicName,
  SOURCE_LIMITS,
  type SourceEntry,
  tooLarge,
  tooManyFiles,
} from "./source.ts";

export async function fetchArchive(source: ArchiveSource, place: FetchPlace): Promise<Fetched> {
  const { file, commit } = await getArchive(source, place);
  const name = basename(source.isUrl ? new URL(source.location).pathname : source.location);
  return {
    entries: withoutTopFolder(await unpackArchive(file, place)),
    source: publicName(source),
    ref: null,
    commit,
    path: "",
    name: name.replace(ARCHIVE, "").toLowerCase(),
  };
}

export async function getArchive(source: ArchiveSource, place: FetchPlace) {
  const file = source.isUrl ? join(place.scratch, "archive") : source.location;
  if (source.isUrl) await download(source.location, file, place);
  return { file, commit: `sha256:${(await digestOfFile(file, "sha256")).toString("hex")}` };
}

export async function digestOfFile(file: string, algorithm: "sha256" | "sha512"): Promise<Buffer> {
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest();
}

type NewEntry = Omit<SourceEntry, "read">;

/** The files of an archive as they come. All bytes go into one file: no name of the archive becomes a name on the disk. */
class Unpacked {
  readonly entries: SourceEntry[] = [];
  readonly #file: string;
  readonly #descriptor: number;
  #stored = 0;
  #counted = 0;

  constructor(scratch: string) {
    this.#file = join(scratch, "content");
    this.#descriptor = openSync(this.#file, "wx", 0o600);
  }

  /** Counts what really comes: an archive can say any size. */
  async *counted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const part of parts) {
      this.#counted += part.length;
      if (this.#counted > SOURCE_LIMITS.unpackedBytes)
        throw tooLarge("The source unpacks to", SOURCE_LIMITS.unpackedBytes);
      yield part;
    }
  }

  /** The bytes of a file that is too large are not wanted: its size is a fault of the skill that has it. */
  async add(entry: NewEntry, bytes?: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.entries.length >= SOURCE_LIMITS.entries) throw tooManyFiles();
    const start = this.#stored;
    for await (const part of bytes ?? []) this.#write(part);
    const size = this.#stored - start;
    this.entries.push({ ...entry, read: () => this.#read(start, size) });
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(part: Uint8Array): void {
    try {
      writeFileSync(this.#descriptor, part);
    } catch (error) {
      throw writeError(this.#file, systemCode(error), true);
    }
    this.#stored += part.length;
  }

  #read(start: number, size: number): Buffer {
    const descriptor = openSync(this.#file, "r");
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) done += readSync(descriptor, bytes, done, size - done, start + done);
    closeSync(descriptor);
    return bytes;
  }
}

/** What comes in Node's parts of 16 KiB takes most of its time between them. */
const UNPACKED_AT_ONCE = 2 ** 18;

/** The files of an archive. Its content says what it is: servers and users name archives as they like. */
export function unpackArchive(file: string, place: FetchPlace): Promise<SourceEntry[]> {
  return unpack(place, async (into) => {
    const start = Buffer.alloc(2);
    const descriptor = openSync(file, "r");
    readSync(descriptor, start);
    closeSync(descriptor);
    if (start.toString("latin1") === "PK") return readZip(file, into);
    const raw = createReadStream(file, { signal: place.signal });
    if (start.readUInt16BE() !== 0x1f8b) return readTar(raw, into);
    const bytes = createGunzip({ chunkSize: UNPACKED_AT_ONCE });
    // What fails here fails in the reader too.
    return readTar(
      pipeline(raw, bytes, () => {}),
      into,
    );
  });
}

/** The files of what `git archive` writes, where an empty folder stands for a submodule. */
export function unpackGit(output: Readable, place: FetchPlace): Promise<SourceEntry[]> {
  return unpack(place, (into) => readTar(output, into, "a git submodule"));
}

async function unpack(
  { scratch, signal }: FetchPlace,
  read: (into: Unpacked) => Promise<void>,
): Promise<SourceEntry[]> {
  const into = new Unpacked(scratch);
  try {
    await read(into);
    return into.entries;
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof KnackError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw executionError(`The archive cannot be read: ${quote(reason)}.`);
  } finally {
    into.close();
  }
}

async function readTar(bytes: Readable, into: Unpacked, emptyFolder?: string): Promise<void> {
  let folder: NewEntry | undefined;
  const endFolder = async (next = ""): Promise<void> => {
    if (folder && !next.startsWith(`${folder.path}/`)) await into.add(folder);
    folder = undefined;
  };
  try {
    const entries = ReadableStream.from(into.counted(bytes)).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      const entry = tarEntry(header);
      // As in a zip: no honest archive has such a name.
      if (/^\/|(?:^|\/)\.\.(?:\/|$)/.test(entry.path))
        throw executionError(
          `The archive is refused: its path ${quote(entry.path)} leads out of it. Nothing was changed.`,
        );
      await endFolder(entry.path);
      const isWanted = entry.kind === "file" && entry.size <= SOURCE_LIMITS.fileBytes;
      if (!isWanted) await body.cancel();
      if (header.type === "directory") {
        if (emptyFolder !== undefined)
          folder = { ...entry, path: entry.path.replace(/\/$/, ""), what: emptyFolder };
      } else if (header.type !== "pax-global-header") await into.add(entry, isWanted ? body : undefined);
    }
    await endFolder();
  } finally {
    bytes.destroy();
  }
}

const OTHERS: Readonly<Record<string, string>> = {
  link: "a hard link",
  "character-device": "a device",
  "block-device": "a device",
  fifo: "a named pipe",
};

function tarEntry(header: ParsedTarEntry["header"]): NewEntry {
  const { name, type = "file", size, mode = 0, linkname = "" } = header;
  const common = { path: plainPath(name), size, isExecutable: (mode & 0o111) !== 0 };
  if (type === "file") return { ...common, kind: "file" };
  if (type === "symlink") return { ...common, kind: "link", target: boundedPath(linkname) };
  return { ...common, kind: "other", what: OTHERS[type] ?? "no regular file" };
}

const plainPath = (name: string): string => boundedPath(name.replace(/^(?:\.\/)+/, ""));

const MAX_LINK = 4_096;

async function readZip(file: string, into: Unpacked): Promise<void> {
  // Names come as they are: they are checked where a skill takes its files.
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
  try {
    for await (const packed of zip.eachEntry()) {
      if (packed.fileName.endsWith("/")) continue;
      const entry = zipEntry(packed);
      const isWanted = entry.size <= (entry.kind === "link" ? MAX_LINK : SOURCE_LIMITS.fileBytes);
      if (entry.kind === "other" || !isWanted) {
        await into.add(entry);
        continue;
      }
      const bytes = into.counted(await zip.openReadStreamPromise(packed));
      if (entry.kind === "file") await into.add(entry, bytes);
      else await into.add({ ...entry, target: await text(bytes) });
    }
  } finally {
    zip.close();
  }
}

const UNIX = 3;
const KIND = 0o170000;

function zipEntry(packed: ZipEntry): NewEntry {
  const mode = packed.versionMadeBy >>> 8 === UNIX ? packed.externalFileAttributes >>> 16 : 0;
  const common = {
    path: plainPath(packed.fileName),
    size: packed.uncompressedSize,
    isExecutable: (mode & 0o111) !== 0,
  };
  if (packed.isEncrypted()) return { ...common, kind: "other", what: "encrypted" };
  const kind = mode & KIND;
  if (kind === 0o120000) return { ...common, kind: "link" };
  if (kind === 0 || kind === 0o100000) return { ...common, kind: "file" };
  return { ...common, kind: "other", what: "no regular file" };
}

/** Archives mostly have one folder at the top, named after a version: with it, no skill would be where it was before. */
export function withoutTopFolder(entries: readonly SourceEntry[]): readonly SourceEntry[] {
  const [first] = entries;
  const top = first?.path.slice(0, first.path.indexOf("/") + 1) ?? "";
  if (top === "" || top === "/" || !entries.every(({ path }) => path.startsWith(top))) return entries;
  return entries.map((entry) => ({ ...entry, path: entry.path.slice(top.length) }));
}
