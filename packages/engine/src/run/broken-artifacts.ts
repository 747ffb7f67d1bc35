import { verifyArtifact } from "../artifacts/verify-artifact.ts";
import type { RunArtifact } from "../store/runs/skill-run.ts";

/** What is not as it was recorded, a sentence each; none where a success can be served whole. */
export async function brokenArtifacts(
  artifacts: readonly RunArtifact[],
  projectRoot: string,
): Promise<string[]> {
  const broken: string[] = [];
  for (const artifact of artifacts) {
    const state = await verifyArtifact(projectRoot, artifact);
    if (state !== "whole") broken.push(`${artifact.path} is ${state}.`);
  }
  return broken;
}
