import type { Git } from "./git.ts";

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
