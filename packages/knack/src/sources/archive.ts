import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { KnackError } from "@knack/core";
import { quote } from "@knack/core/text";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { openPromise, type Entry as ZipEntry, type ZipFile } from "yauzl";
import { download } from "./download.ts";
import { throwIfAborted } from "./scratch.ts";
import {
  type ArchiveSource,
  boundedPath,
  type Entry,
  type Fetched,
  type FetchPlace,
  LIMITS,
  publicName,
  type SourceTree,
} from "./source.ts";
import { Budget, openFiles, type Sink, tooLarge } from "./write-files.ts";

/** A tar archive, compressed with gzip or not. It is read twice: for its list, and for the files that are wanted. */
export async function readTar(file: string, signal: AbortSignal): Promise<SourceTree> {
  const entries: Entry[] = [];
  const targets = new Map<Entry, string>();
  await eachEntry(file, signal, async ({ header, body }) => {
    await body.cancel();
    if (header.type === "directory" || header.type === "pax-global-header") return;
    if (entries.length >= LIMITS.entries)
      throw new KnackError("EXECUTION_ERROR", `The archive has more than ${LIMITS.entries} files.`);
    const entry = tarEntry(header);
    entries.push(entry);
    if (entry.kind === "link") targets.set(entry, boundedPath(header.linkname ?? ""));
  });
  return {
    entries,
    linkTargets: (links) => Promise.resolve(new Map(links.map((link) => [link, targets.get(link) ?? ""]))),
    write: async (files) => {
      const budget = new Budget();
      let place = 0;
      await eachEntry(file, signal, async ({ header, body }) => {
        if (header.type === "directory" || header.type === "pax-global-header") return body.cancel();
        const entry = entries[place++];
        const paths = entry && files.get(entry);
        if (!entry || !paths) return body.cancel();
        const sink = openFiles(paths, entry, budget);
        try {
          for await (const part of body) sink.write(part);
        } finally {
          sink.close();
        }
      });
    },
  };
}

const OTHERS: Readonly<Record<string, string>> = {
  link: "a hard link",
  "character-device": "a device",
  "block-device": "a device",
  fifo: "a named pipe",
};

function tarEntry({ name, type, size, mode = 0 }: ParsedTarEntry["header"]): Entry {
  const common = {
    path: boundedPath(name.replace(/^(?:\.\/)+/, "")),
    size,
    isExecutable: (mode & 0o111) !== 0,
  };
  if (type === "file" || type === undefined) return { ...common, kind: "file" };
  if (type === "symlink") return { ...common, kind: "link" };
  return { ...common, kind: "other", what: OTHERS[type] ?? "no regular file" };
}

async function eachEntry(
  file: string,
  signal: AbortSignal,
  use: (entry: ParsedTarEntry) => Promise<void>,
): Promise<void> {
  const bytes = await unpacked(file, signal);
  let count = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      count += chunk.length;
      if (count > LIMITS.unpackedBytes) throw tooLarge("The archive unpacks to", LIMITS.unpackedBytes);
      controller.enqueue(chunk);
    },
  });
  try {
    const entries = (Readable.toWeb(bytes) as ReadableStream<Uint8Array>)
      .pipeThrough(counted)
      .pipeThrough(createTarDecoder({ strict: true }));
    for await (const entry of entries) await use(entry);
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof KnackError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new KnackError("EXECUTION_ERROR", `The archive cannot be read: ${quote(reason)}.`);
  } finally {
    bytes.destroy();
  }
}

async function unpacked(file: string, signal: AbortSignal): Promise<Readable> {
  const handle = await open(file);
  const start = Buffer.alloc(2);
  try {
    await handle.read(start, 0, 2, 0);
  } finally {
    await handle.close();
  }
  const raw = createReadStream(file, { signal });
  if (start[0] !== 0x1f || start[1] !== 0x8b) return raw;
  const gunzip = createGunzip();
  raw.on("error", (error) => gunzip.destroy(error));
  return raw.pipe(gunzip);
}

const UNIX = 3;
const KIND = 0o170000;
const MAX_LINK = 4_096;

/** A zip archive: its directory is read first, then the files that are wanted. */
export async function readZip(file: string, signal: AbortSignal): Promise<SourceTree> {
  const found = new Map<Entry, ZipEntry>();
  await withZip(file, signal, async (zip) => {
    if (zip.entryCount > LIMITS.entries)
      throw new KnackError("EXECUTION_ERROR", `The archive has more than ${LIMITS.entries} files.`);
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      if (found.size >= LIMITS.entries)
        throw new KnackError("EXECUTION_ERROR", `The archive has more than ${LIMITS.entries} files.`);
      found.set(zipEntry(entry), entry);
    }
  });
  const read = (entries: Iterable<Entry>, openSink: (entry: Entry) => Sink): Promise<void> =>
    withZip(file, signal, async (zip) => {
      for (const entry of entries) {
        const stream = await zip.openReadStreamPromise(found.get(entry) as ZipEntry);
        const sink = openSink(entry);
        try {
          for await (const part of stream) sink.write(part);
        } finally {
          stream.destroy();
          sink.close();
        }
      }
    });
  return {
    entries: [...found.keys()],
    linkTargets: async (links) => {
      const targets = new Map<Entry, string>();
      await read(
        links.filter(({ size }) => size <= MAX_LINK),
        (entry) => {
          const parts: Uint8Array[] = [];
          return {
            write: (part) => void parts.push(part),
            close: () => void targets.set(entry, Buffer.concat(parts).toString("utf8")),
          };
        },
      );
      return targets;
    },
    write: async (files) => {
      const budget = new Budget();
      await read(files.keys(), (entry) => openFiles(files.get(entry) ?? [], entry, budget));
    },
  };
}

function zipEntry(entry: ZipEntry): Entry {
  const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  const common = {
    path: boundedPath(entry.fileName.replace(/^(?:\.\/)+/, "")),
    size: entry.uncompressedSize,
    isExecutable: (mode & 0o111) !== 0,
  };
  if (entry.isEncrypted()) return { ...common, kind: "other", what: "encrypted" };
  const kind = mode & KIND;
  if (kind === 0o120000) return { ...common, kind: "link" };
  if (kind === 0 || kind === 0o100000) return { ...common, kind: "file" };
  return { ...common, kind: "other", what: "no regular file" };
}

async function withZip(
  file: string,
  signal: AbortSignal,
  use: (zip: ZipFile) => Promise<void>,
): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    // Names come as they are: they are checked where a skill takes its files.
    zip = await openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
    await use(zip);
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof KnackError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new KnackError("EXECUTION_ERROR", `The archive cannot be read: ${quote(reason)}.`);
  } finally {
    zip?.close();
  }
}

export async function fetchArchive(source: ArchiveSource, place: FetchPlace): Promise<Fetched> {
  const file = source.isUrl ? join(place.scratch, "archive") : source.location;
  if (source.isUrl) await download(source.location, file, place);
  const name = basename(source.isUrl ? new URL(source.location).pathname : source.location);
  return {
    tree: withoutTopFolder(await readArchive(file, place.signal)),
    source: publicName(source),
    ref: null,
    commit: `sha256:${await digestOf(file)}`,
    path: "",
    name: name.replace(/\.(?:tar\.gz|tgz|zip)$/i, "").toLowerCase(),
  };
}

/** By its content: servers and users name archives as they like. */
export async function readArchive(file: string, signal: AbortSignal): Promise<SourceTree> {
  const handle = await open(file);
  const start = Buffer.alloc(2);
  try {
    await handle.read(start, 0, 2, 0);
  } finally {
    await handle.close();
  }
  return start.toString("latin1") === "PK" ? readZip(file, signal) : readTar(file, signal);
}

/** Archives mostly have one folder at the top, named after a version: with it, no skill would be where it was before. */
export function withoutTopFolder(tree: SourceTree): SourceTree {
  const [first] = tree.entries;
  const top = first?.path.slice(0, first.path.indexOf("/") + 1) ?? "";
  if (top === "" || top === "/" || !tree.entries.every(({ path }) => path.startsWith(top))) return tree;
  // A folder that is itself the skill keeps its name: it may be all that says it.
  const originals = new Map<Entry, Entry>();
  for (const entry of tree.entries) originals.set({ ...entry, path: entry.path.slice(top.length) }, entry);
  const original = (entry: Entry): Entry => originals.get(entry) ?? entry;
  return {
    entries: [...originals.keys()],
    linkTargets: async (links) => {
      const targets = await tree.linkTargets(links.map(original));
      return new Map(links.map((link) => [link, targets.get(original(link)) ?? ""]));
    },
    write: (files) => tree.write(new Map([...files].map(([entry, paths]) => [original(entry), paths]))),
  };
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
