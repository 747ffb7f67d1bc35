import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ArchiveSource } from "../source.ts";
import { publicName } from "../source.ts";
import type { Entry, Fetched, FetchPlace, SourceTree } from "../source-tree.ts";
import { download } from "./download.ts";
import { readTar } from "./tar-tree.ts";
import { readZip } from "./zip-tree.ts";

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
