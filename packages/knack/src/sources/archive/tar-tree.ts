import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { KnackError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { LIMITS } from "../limits.ts";
import { throwIfAborted } from "../scratch.ts";
import { boundedPath, type Entry, type SourceTree } from "../source-tree.ts";
import { Budget, openFiles, tooLarge } from "../write-files.ts";

/** A tar archive, compressed with gzip or not. It is read twice: for its list, and for the files that are wanted. */
export async function readTar(file: string, signal: AbortSignal): Promise<SourceTree> {
  const entries: Entry[] = [];
  const targets = new Map<Entry, string>();
  await eachEntry(file, signal, async ({ header, body }) => {
    await body.cancel();
    if (header.type === "directory" || header.type === "pax-global-header") return;
    if (entries.length >= LIMITS.entries)
      throw new KnackError("EXECUTION_ERROR", `The archive has more than ${LIMITS.entries} files.`);
    const entry = entryOf(header);
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

function entryOf({ name, type, size, mode = 0 }: ParsedTarEntry["header"]): Entry {
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
