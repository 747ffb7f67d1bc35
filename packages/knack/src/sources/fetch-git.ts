import { type KnackError, quote } from "@knack/core/text";
import { notFound } from "../options.ts";
import { unpackGit } from "./archive.ts";
import { type Git, gitFailure, openGit } from "./git.ts";
import { isCommit, isRef, requireRef } from "./parse-source.ts";
import {
  type Fetched,
  type FetchPlace,
  type GitSource,
  publicName,
  SOURCE_LIMITS,
  type SourceEntry,
  tooManyFiles,
} from "./source.ts";

/** Asks a server for its default branch and for these refs alone: it may have a hundred thousand. */
async function readRemote(git: Git, url: string, refs: readonly string[]) {
  const patterns = refs.flatMap((ref) => [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]);
  const text = await git.run(["ls-remote", "--quiet", "--", url, "HEAD", ...patterns]);
  const found = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [commit = "", name = ""] = line.split("\t");
    if (/^[0-9a-f]{40,64}$/.test(commit)) found.set(name, commit);
  }
  /** The full name of a branch or tag; a branch wins, as in git itself. A full hash is the commit, whatever has its name. */
  const nameOf = (ref: string): string | undefined =>
    isCommit(ref) ? undefined : [`refs/heads/${ref}`, `refs/tags/${ref}`].find((name) => found.has(name));
  /** What a branch or tag points to, and `null` the default branch. */
  const commitOf = (ref: string | null): string | undefined => {
    if (ref !== null && isCommit(ref)) return ref.toLowerCase();
    const name = ref === null ? "HEAD" : (nameOf(ref) ?? "");
    // Of a tag that is an object of its own, the commit behind it.
    return found.get(`${name}^{}`) ?? found.get(name);
  };
  return { nameOf, commitOf };
}

type Remote = Awaited<ReturnType<typeof readRemote>>;

export async function fetchGit(source: GitSource, place: FetchPlace): Promise<Fetched> {
  const git = await openGit(place, source);
  const { ref, path, remote } = await locate(git, source);
  const commit = await fetchCommit(git, source, remote, ref);
  const name = publicName(source);
  const only = path === "" ? [] : ["--", path];
  if ((await countFiles(git, [commit, ...only])) === 0 && path !== "")
    throw notFound(`${name} has no folder ${quote(path)} at ${commit.slice(0, 12)}.`);
  let entries: readonly SourceEntry[] = [];
  await git.run(["archive", "--format=tar", commit, ...only], {
    read: async (output) => {
      entries = await unpackGit(output, place);
    },
  });
  return { entries, source: name, ref, commit, path, name: repositoryName(source.url) };
}

/** A tree that repeats itself has any number of files, and `git archive` would first have all of them in memory. */
async function countFiles(git: Git, words: readonly string[]): Promise<number> {
  let count = 0;
  await git.run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", ...words], {
    read: async (output) => {
      for await (const chunk of output as AsyncIterable<Buffer>) {
        for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) count++;
        if (count > SOURCE_LIMITS.entries) throw tooManyFiles();
      }
    },
  });
  return count;
}

export async function newestCommit(source: GitSource, place: FetchPlace): Promise<string> {
  const git = await openGit(place, source);
  const { ref, remote } = await locate(git, source);
  const found = remote.commitOf(ref);
  if (found === undefined) throw noSuchRef(source, ref);
  return found;
}

/** Divides a pasted address into ref and path: the longest ref that exists. */
async function locate(git: Git, source: GitSource) {
  const { url, refAndPath: parts } = source;
  if (!parts?.length || source.ref !== null) {
    const path = parts ? parts.slice(1).join("/") : source.path;
    return {
      ref: source.ref,
      path,
      remote: await readRemote(git, url, source.ref === null ? [] : [source.ref]),
    };
  }
  const starts = parts.map((_, i) => parts.slice(0, i + 1).join("/")).filter(isRef);
  const remote = await readRemote(git, url, starts);
  const ref = starts.findLast((start) => remote.commitOf(start) !== undefined) ?? parts[0] ?? "";
  return { ref: requireRef(ref), path: parts.slice(ref.split("/").length).join("/"), remote };
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

function noSuchRef(source: GitSource, ref: string | null): KnackError {
  const what = ref === null ? "has no commits" : `has no branch, tag or commit ${quote(ref)}`;
  return notFound(`${publicName(source)} ${what}.`);
}

function repositoryName(url: string): string {
  return (/([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? "skill").toLowerCase();
}
