import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Runs git for a test, with nothing of the user who runs it. */
export function git(folder: string, words: readonly string[], input?: string | Buffer): string {
  return execFileSync("git", words, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    ...(input === undefined ? {} : { input }),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
      GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
      GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
    },
  });
}

/** Makes a repository of a folder, with everything in it as one commit; answers the commit. */
export function makeRepository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  return commitAll(folder, "first");
}

export function commitAll(folder: string, message: string): string {
  git(folder, ["add", "--all", "--force"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "-m", message]);
  return git(folder, ["rev-parse", "HEAD"]).trim();
}

/** Commits a tree of these raw entries (`mode type id\tpath`), which git itself would not add; answers the commit. */
export function commitTree(
  folder: string,
  files: readonly (readonly [mode: string, path: string, content: string])[],
): string {
  const index = files.map(([mode, path, content]) => {
    const id = mode === "160000" ? content : git(folder, ["hash-object", "-w", "--stdin"], content).trim();
    return `${mode} ${id}\t${path}\0`;
  });
  git(folder, ["read-tree", "--empty"]);
  git(folder, ["update-index", "-z", "--index-info"], index.join(""));
  const tree = git(folder, ["write-tree"]).trim();
  const commit = git(folder, ["commit-tree", tree, "-m", "raw"]).trim();
  git(folder, ["update-ref", "refs/heads/main", commit]);
  return commit;
}
