import { digestAt } from "../../artifacts/verify-artifact.ts";
import { isMadeByAnother } from "../../store/runs/artifacts.ts";
import type { Store } from "../../store/store.ts";
import type { BringArtifact } from "../broken-artifacts.ts";
import type { ClaimedRun, RunOptions } from "../execute/held.ts";
import { fetchArtifact } from "./fetch-artifact.ts";

/** Brings the artifacts of a success from where all machines keep theirs, where there is such a place. */
export function bringFor(
  store: Store,
  { key }: { readonly key: string },
  { contents, projectRoot, leftovers }: Pick<RunOptions, "contents" | "projectRoot" | "leftovers">,
): BringArtifact | undefined {
  if (!contents) return undefined;
  const mayReplace = isOursOf(store, projectRoot, key);
  return (artifact) => fetchArtifact(artifact, { contents, projectRoot, leftovers, mayReplace });
}

/** Whether something is at a path, and no run with another key made it. */
export function isOursOf(store: Store, projectRoot: string, key: string): ClaimedRun["isOurs"] {
  return async (path) => {
    const there = await digestAt(projectRoot, path);
    return there !== "missing" && !(await isMadeByAnother(store.db, path, there, key));
  };
}
