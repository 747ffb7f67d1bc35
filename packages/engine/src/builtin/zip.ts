import { buffer } from "node:stream/consumers";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { encryptedDocument, failure, mebibytes } from "./builtin.ts";

const MAX_ENTRIES = 10_000;

/** The names in an archive, without unpacking a byte; `null` where its directory cannot be read. */
export async function entryNames(path: string): Promise<ReadonlySet<string> | null> {
  try {
    return await withZip(path, async (_zip, entries) => new Set(entries.keys()));
  } catch {
    return null;
  }
}

/** The parts of an office document by name. Nothing but what is asked for is ever unpacked. */
export interface ZipParts {
  has(name: string): boolean;
  text(name: string, maxBytes: number): Promise<string>;
}

export function withParts<T>(path: string, use: (parts: ZipParts) => Promise<T>): Promise<T> {
  return withZip(path, (zip, entries) => {
    if (zip.entryCount > MAX_ENTRIES)
      throw failure("TOO_LARGE", `The archive has more than ${MAX_ENTRIES} entries, the most that are read.`);
    return use({
      has: (name) => entries.has(name),
      text: async (name, maxBytes) => {
        const [entry, second] = entries.get(name) ?? [];
        if (!entry) throw new Error(`it has no ${name}`);
        if (second) throw new Error(`the part ${name} occurs twice`);
        return unpack(zip, entry, maxBytes);
      },
    });
  });
}

/** The library ends a part that has more bytes than the directory says. */
async function unpack(zip: ZipFile, entry: Entry, maxBytes: number): Promise<string> {
  if (entry.isEncrypted()) throw encryptedDocument();
  if (entry.uncompressedSize > maxBytes) {
    throw failure(
      "TOO_LARGE",
      `The document unpacks to ${mebibytes(entry.uncompressedSize)}; at most ${mebibytes(maxBytes)} are read.`,
    );
  }
  try {
    return (await buffer(await zip.openReadStreamPromise(entry))).toString("utf8");
  } catch (error) {
    throw new Error(`the part ${entry.fileName} is damaged: ${(error as Error).message}`);
  }
}

/** The first entries by their names; a name may occur twice. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

async function withZip<T>(path: string, use: (zip: ZipFile, entries: Entries) => Promise<T>): Promise<T> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) if (entries.push(entry) >= MAX_ENTRIES) break;
    return await use(
      zip,
      Map.groupBy(entries, ({ fileName }) => fileName),
    );
  } finally {
    zip.close();
  }
}
