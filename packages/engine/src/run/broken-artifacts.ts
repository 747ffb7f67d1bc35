import { verifyArtifact } from "../artifacts/verify-artifact.ts";
import type { KeptEdit } from "../store/runs/finish.ts";
import type { RunArtifact } from "../store/runs/skill-run.ts";

/** Brings an artifact to its place again and returns the edits that it moved aside; `null` if it cannot. */
export type BringArtifact = (artifact: RunArtifact) => Promise<readonly KeptEdit[] | null>;

/** What is not as it was recorded, a sentence each; none where a success can be served whole. */
export async function brokenArtifacts(
  artifacts: readonly RunArtifact[],
  projectRoot: string,
  bring: BringArtifact = async () => null,
): Promise<{ readonly broken: readonly string[]; readonly kept: readonly KeptEdit[] }> {
  const broken: string[] = [];
  const kept: KeptEdit[] = [];
  for (const artifact of artifacts) {
    const state = await verifyArtifact(projectRoot, artifact);
    if (state === "whole") continue;
    const brought = await bring(artifact);
    if (brought) kept.push(...brought);
    else broken.push(`${artifact.path} is ${state}.`);
  }
  return { broken, kept };
}
