import { KnackError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { openPromise, type Entry as ZipEntry, type ZipFile } from "yauzl";
import { LIMITS } from "../limits.ts";
import { throwIfAborted } from "../scratch.ts";
import { boundedPath, type Entry, type SourceTree } from "../source-tree.ts";
import { Budget, openFiles, type Sink } from "../write-files.ts";

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
      found.set(entryOf(entry), entry);
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

function entryOf(entry: ZipEntry): Entry {
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
