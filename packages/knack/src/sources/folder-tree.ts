import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { basename, join } from "node:path";
import { KnackError } from "@knack/core";
import { kindOf, systemCode } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { type Entry, type Fetched, type FolderSource, LIMITS, type SourceTree } from "./source.ts";
import { Budget, openFiles } from "./write-files.ts";

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A folder of this machine. */
export function readFolder({ path }: FolderSource): Fetched {
  return {
    tree: new FolderTree(path),
    source: path,
    ref: null,
    commit: null,
    path: "",
    name: basename(path).toLowerCase(),
  };
}

class FolderTree implements SourceTree {
  readonly entries: readonly Entry[];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    const entries: Entry[] = [];
    list(root, "", entries);
    this.entries = entries;
  }

  linkTargets(links: readonly Entry[]): Promise<ReadonlyMap<Entry, string>> {
    return Promise.resolve(new Map(links.map((link) => [link, readlinkSync(join(this.#root, link.path))])));
  }

  async write(files: ReadonlyMap<Entry, readonly string[]>): Promise<void> {
    const budget = new Budget();
    const chunk = Buffer.allocUnsafe(256 * 1024);
    for (const [entry, paths] of files) {
      const descriptor = openSync(join(this.#root, entry.path), READ);
      const sink = openFiles(paths, entry, budget);
      try {
        if (!fstatSync(descriptor).isFile())
          throw new KnackError("EXECUTION_ERROR", `${quote(entry.path)} was replaced while it was read.`);
        for (let size = readSync(descriptor, chunk); size > 0; size = readSync(descriptor, chunk))
          sink.write(chunk.subarray(0, size));
      } finally {
        sink.close();
        closeSync(descriptor);
      }
    }
  }
}

/** Folders that no skill needs are not even listed: a repository's own data, and installed packages above every skill. */
function list(folder: string, path: string, into: Entry[]): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new KnackError("EXECUTION_ERROR", `${quote(folder)} cannot be read (${systemCode(error)}).`);
  }
  for (const name of names.sort()) {
    if (name === ".git") continue;
    const below = path === "" ? name : `${path}/${name}`;
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (!stats) continue;
    if (stats.isDirectory()) list(join(folder, name), below, into);
    else into.push(entryOf(below, stats));
    if (into.length > LIMITS.entries)
      throw new KnackError("EXECUTION_ERROR", `${quote(folder)} has more than ${LIMITS.entries} files.`);
  }
}

function entryOf(path: string, stats: ReturnType<typeof lstatSync> & object): Entry {
  const common = { path, size: Number(stats.size), isExecutable: (Number(stats.mode) & 0o111) !== 0 };
  if (stats.isFile()) return { ...common, kind: "file" };
  if (stats.isSymbolicLink()) return { ...common, kind: "link" };
  return { ...common, kind: "other", what: kindOf(stats as Parameters<typeof kindOf>[0]) };
}
