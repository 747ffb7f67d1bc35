import type { Leftovers } from "../../artifacts/leftovers.ts";
import { restoreArtifact } from "../../artifacts/restore-artifact.ts";
import { digestAt, type RecordedArtifact } from "../../artifacts/verify-artifact.ts";
import type { Contents } from "../../contents/contents.ts";
import { WrongBytes } from "../../contents/verified.ts";
import type { KeptEdit } from "../../store/runs/finish.ts";

export interface FetchOptions {
  readonly contents: Contents;
  readonly projectRoot: string;
  readonly leftovers?: Leftovers | undefined;
  /** Whether a changed file at this path may be moved aside; without it only what is missing is fetched. */
  readonly mayReplace?: ((path: string) => Promise<boolean>) | undefined;
}

/**
 * Brings an artifact that is missing or changed here to its path, from where all machines keep theirs. Returns the edited
 * files that were moved aside, or `null` if the artifact cannot be had: then the skill has to run again.
 */
export async function fetchArtifact(
  { path, sha256 }: RecordedArtifact,
  { contents, projectRoot, leftovers, mayReplace }: FetchOptions,
): Promise<readonly KeptEdit[] | null> {
  const there = await digestAt(projectRoot, path);
  if (there === sha256) return [];
  const replace = there !== "missing";
  if (replace && !(await mayReplace?.(path))) return null;
  const bytes = await contents.open(sha256);
  if (!bytes) return null;
  try {
    const restored = await restoreArtifact({ projectRoot, path, sha256, replace, leftovers }, bytes);
    if (restored.state !== "restored") return null;
    return restored.kept.map((kept_as) => ({ path, kept_as }));
  } catch (error) {
    if (error instanceof WrongBytes) return null;
    throw error;
  }
}
