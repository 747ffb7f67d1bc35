import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { isCommit, requireRef } from "../check-ref.ts";
import { type GitSource, publicName } from "../source.ts";
import type { Fetched, FetchPlace } from "../source-tree.ts";
import { Git } from "./git.ts";
import { gitFailure } from "./git-failure.ts";
import { readGitTree } from "./git-tree.ts";
import { type Remote, readRemote } from "./remote.ts";

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
