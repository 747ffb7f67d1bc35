import { isUtf8 } from "node:buffer";
import { KnackError, SkillError } from "@knack/core";
import { quote } from "@knack/core/text";
import { Git, gitFailure } from "./git.ts";
import { isCommit, requireRef } from "./parse-source.ts";
import {
  boundedPath,
  type Entry,
  type Fetched,
  type FetchPlace,
  type GitSource,
  LIMITS,
  publicName,
  type SourceTree,
} from "./source.ts";
import { Budget, openFiles, type Sink } from "./write-files.ts";

const broken = (): KnackError =>
  new KnackError("EXECUTION_ERROR", "git did not give an object of the repository; nothing was changed.");

/** Reads what `git cat-file --batch` prints: a line with id, type and size, then the bytes and a line end, for each object. */
export class BlobReader {
  readonly #opens: readonly (() => Sink)[];
  #next = 0;
  #header = "";
  #sink: Sink | undefined;
  /** Bytes of the current object that are still to come; the line end after it counts as one. */
  #left = 0;

  constructor(opens: readonly (() => Sink)[]) {
    this.#opens = opens;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#sink === undefined) at = this.#readHeader(chunk, at);
      else at = this.#readBytes(chunk, at, this.#sink);
    }
  }

  #readHeader(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(0x0a, at);
    this.#header += chunk.toString("latin1", at, end < 0 ? chunk.length : end);
    if (this.#header.length > 200) throw broken();
    if (end < 0) return chunk.length;
    const size = /^[0-9a-f]{40,64} blob (\d+)$/.exec(this.#header)?.[1];
    const open = this.#opens[this.#next++];
    if (size === undefined || open === undefined) throw broken();
    this.#header = "";
    this.#left = Number(size) + 1;
    this.#sink = open();
    return end + 1;
  }

  #readBytes(chunk: Buffer, at: number, sink: Sink): number {
    const content = Math.min(this.#left - 1, chunk.length - at);
    if (content > 0) sink.write(chunk.subarray(at, at + content));
    this.#left -= content;
    if (this.#left > 1 || at + content === chunk.length) return at + content;
    this.#sink = undefined;
    sink.close();
    return at + content + 1;
  }

  /** All of it must have come. */
  end(): void {
    if (this.#sink !== undefined || this.#next !== this.#opens.length) throw broken();
  }

  /** After a failure no file stays open. */
  close(): void {
    this.#sink?.close();
    this.#sink = undefined;
  }
}

/** `100755 blob <id> <size>\t<path>` */
const LINE = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s;
const MAX_LINK_BYTES = 4_096;

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
    const small = links.filter(({ size }) => size <= MAX_LINK_BYTES);
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

/** The refs of a repository that were asked for. */
export interface Remote {
  /** The full name of a branch or tag; a branch wins, as in git itself. */
  nameOf(ref: string): string | undefined;
  /** What a branch or tag points to, and `null` the default branch. */
  commitOf(ref: string | null): string | undefined;
}

/** Asks a server for its default branch and for these refs alone: it may have a hundred thousand. */
export async function readRemote(git: Git, url: string, refs: readonly string[]): Promise<Remote> {
  const patterns = refs.flatMap((ref) => [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]);
  const text = await git.run(["ls-remote", "--quiet", "--", url, "HEAD", ...patterns]);
  const found = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [commit = "", name = ""] = line.split("\t");
    if (/^[0-9a-f]{40,64}$/.test(commit)) found.set(name, commit);
  }
  const nameOf = (ref: string): string | undefined =>
    [`refs/heads/${ref}`, `refs/tags/${ref}`].find((name) => found.has(name));
  return {
    nameOf,
    commitOf: (ref) => {
      const name = ref === null ? "HEAD" : (nameOf(ref) ?? "");
      // Of a tag that is an object of its own, the commit behind it.
      return found.get(`${name}^{}`) ?? found.get(name);
    },
  };
}

/** Fetches one commit of a repository, as data: nothing is checked out. */
export async function fetchGit(source: GitSource, place: FetchPlace): Promise<Fetched> {
  const git = await Git.create(place, source);
  const { ref, path, ...found } = await locate(git, source);
  const commit = await fetchCommit(git, source, found.remote, ref);
  return {
    tree: await readGitTree(git, commit, path, publicName(source)),
    source: publicName(source),
    ref,
    commit,
    path,
    name: repositoryName(source.url),
  };
}

/** What a ref is now, without fetching it. */
export async function newestCommit(source: GitSource, place: FetchPlace): Promise<string> {
  const git = await Git.create(place, source);
  const { ref, remote } = await locate(git, source);
  const found = remote.commitOf(ref);
  if (found === undefined) throw noSuchRef(source, ref);
  return found;
}

/** Divides a pasted address into ref and path: the longest ref that exists. */
async function locate(
  git: Git,
  source: GitSource,
): Promise<{ readonly ref: string | null; readonly path: string; readonly remote: Remote }> {
  const parts = source.refAndPath ?? [];
  if (parts.length === 0 || source.ref !== null)
    return {
      ref: source.ref,
      path: source.refAndPath ? parts.slice(1).join("/") : source.path,
      remote: await readRemote(git, source.url, source.ref === null ? [] : [source.ref]),
    };
  const starts = parts.map((_, i) => parts.slice(0, i + 1).join("/")).filter((ref) => isRef(ref));
  const remote = await readRemote(git, source.url, starts);
  const ref = starts.findLast((start) => remote.commitOf(start) !== undefined) ?? parts[0] ?? "";
  return { ref: requireRef(ref), path: parts.slice(ref.split("/").length).join("/"), remote };
}

function isRef(text: string): boolean {
  try {
    return requireRef(text) === text;
  } catch {
    return false;
  }
}

async function fetchCommit(git: Git, source: GitSource, remote: Remote, ref: string | null): Promise<string> {
  const name = ref === null ? "HEAD" : remote.nameOf(ref);
  const wanted = name ?? (ref !== null && isCommit(ref) ? ref.toLowerCase() : undefined);
  if (wanted !== undefined) {
    const target = "refs/knack/wanted";
    const { ok, stderr } = await git.tryFetch(["--depth=1", "--", source.url, `+${wanted}:${target}`]);
    if (ok) return resolveCommit(git, target);
    // Some servers give a commit only as part of a branch.
    if (name !== undefined) throw gitFailure(stderr, publicName(source));
  }
  if (ref === null || !/^[0-9a-f]{4,64}$/i.test(ref)) throw noSuchRef(source, ref);
  const all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  const { ok, stderr } = await git.tryFetch(["--", source.url, ...all]);
  if (!ok) throw gitFailure(stderr, publicName(source));
  try {
    return await resolveCommit(git, ref);
  } catch {
    throw noSuchRef(source, ref);
  }
}

async function resolveCommit(git: Git, name: string): Promise<string> {
  return (await git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])).trim();
}

function noSuchRef(source: GitSource, ref: string | null): SkillError {
  const what = ref === null ? "has no commits" : `has no branch, tag or commit ${quote(ref)}`;
  return new SkillError("NOT_FOUND", `${publicName(source)} ${what}.`);
}

function repositoryName(url: string): string {
  return (/([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? "skill").toLowerCase();
}
