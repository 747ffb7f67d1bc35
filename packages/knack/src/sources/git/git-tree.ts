import { isUtf8 } from "node:buffer";
import { KnackError, SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { LIMITS } from "../limits.ts";
import { boundedPath, type Entry, type SourceTree } from "../source-tree.ts";
import { Budget, openFiles, type Sink } from "../write-files.ts";
import { BlobReader } from "./blob-reader.ts";
import type { Git } from "./git.ts";

/** `100755 blob <id> <size>\t<path>` */
const LINE = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s;
const MAX_LINK = 4_096;

/** The files of a commit, read from git's own objects: attributes, filters and hooks have no part in it. */
export async function readGitTree(git: Git, commit: string, path: string, name: string): Promise<SourceTree> {
  const ids = new Map<Entry, string>();
  const words = ["ls-tree", "-r", "-z", "-l", "--full-tree", commit];
  const lines = new NulLines((line) => {
    const [, mode, type, id = "", size = "0", file = ""] = LINE.exec(line) ?? [];
    ids.set(entryOf(file, mode ?? "", type ?? "", Number(size) || 0), id);
    if (ids.size > LIMITS.entries)
      throw new KnackError("EXECUTION_ERROR", `${name} has more than ${LIMITS.entries} files.`);
  });
  await git.run(path === "" ? words : [...words, "--", path], {
    onOutput: (chunk) => lines.push(chunk),
  });
  if (path !== "" && ids.size === 0)
    throw new SkillError("NOT_FOUND", `${name} has no folder ${quote(path)} at ${commit.slice(0, 12)}.`);
  return new GitTree(git, ids);
}

function entryOf(path: string, mode: string, type: string, size: number): Entry {
  const common = { path: boundedPath(path), size, isExecutable: mode === "100755" };
  if (mode === "120000") return { ...common, kind: "link" };
  if (type === "blob" && mode.startsWith("100")) return { ...common, kind: "file" };
  return { ...common, kind: "other", what: type === "commit" ? "a git submodule" : "no regular file" };
}

class GitTree implements SourceTree {
  readonly entries: readonly Entry[];
  readonly #git: Git;
  readonly #ids: ReadonlyMap<Entry, string>;

  constructor(git: Git, ids: ReadonlyMap<Entry, string>) {
    this.#git = git;
    this.#ids = ids;
    this.entries = [...ids.keys()];
  }

  async linkTargets(links: readonly Entry[]): Promise<ReadonlyMap<Entry, string>> {
    const small = links.filter(({ size }) => size <= MAX_LINK);
    const targets = new Map<Entry, string>();
    await this.#read(small, (entry) => {
      const parts: Buffer[] = [];
      return {
        write: (part) => void parts.push(Buffer.from(part)),
        close: () => void targets.set(entry, Buffer.concat(parts).toString("utf8")),
      };
    });
    return targets;
  }

  async write(files: ReadonlyMap<Entry, readonly string[]>): Promise<void> {
    const budget = new Budget();
    await this.#read([...files.keys()], (entry) => openFiles(files.get(entry) ?? [], entry, budget));
  }

  async #read(entries: readonly Entry[], open: (entry: Entry) => Sink): Promise<void> {
    if (entries.length === 0) return;
    const input = entries.map((entry) => `${this.#ids.get(entry)}\n`).join("");
    const reader = new BlobReader(entries.map((entry) => () => open(entry)));
    try {
      await this.#git.run(["cat-file", "--batch"], { input, onOutput: (chunk) => reader.push(chunk) });
      reader.end();
    } finally {
      reader.close();
    }
  }
}

/** Texts that end with NUL. What is no UTF-8 keeps a mark that no valid path has. */
class NulLines {
  readonly #use: (line: string) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(use: (line: string) => void) {
    this.#use = use;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, from)) {
      const line = bytes.subarray(from, at);
      this.#use(isUtf8(line) ? line.toString("utf8") : `${line.toString("latin1")}\ufffd`);
      from = at + 1;
    }
    this.#rest = bytes.subarray(from);
    if (this.#rest.length > 1 << 20) throw new KnackError("EXECUTION_ERROR", "A path is too long.");
  }
}
