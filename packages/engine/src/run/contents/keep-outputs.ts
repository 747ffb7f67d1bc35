import { setTimeout as wait } from "node:timers/promises";
import { KnackError } from "@knack/core/internal/engine";
import { artifactBytes } from "../../contents/artifact-bytes.ts";
import type { Contents } from "../../contents/contents.ts";
import { WrongBytes } from "../../contents/verified.ts";
import type { NewArtifact } from "../../store/runs/artifacts.ts";
import type { Executed, RunError } from "../execute/executed.ts";
import type { ClaimedRun } from "../execute/held.ts";

const PAUSES_MS = [200, 1000];

/** What was executed, with its artifacts stored where all machines find them; a failure if they could not be. */
export async function keepOutputs(
  executed: Executed,
  { contents, projectRoot, signal }: ClaimedRun,
): Promise<Executed> {
  if (!contents || executed.error) return executed;
  const error = await keepArtifacts(contents, projectRoot, executed.artifacts, signal);
  return error === null ? executed : { ...executed, artifacts: [], evidences: [], error };
}

/**
 * Stores the artifacts of a success before it is recorded, so that no record names bytes that nobody has. Storing the same
 * bytes again does no harm, so it is tried again. Returns why it failed.
 */
async function keepArtifacts(
  contents: Contents,
  projectRoot: string,
  artifacts: readonly NewArtifact[],
  signal: AbortSignal,
): Promise<RunError | null> {
  for (const { path, sha256, size_bytes: size } of artifacts) {
    const bytes = () => bytesAt(projectRoot, path, signal);
    try {
      await tryAgain(() => contents.put({ sha256, size }, bytes), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof KnackError)) throw error;
      return {
        code: "E_ARTIFACT_STORE",
        message: `${path} was made but could not be stored: ${error.message}`,
      };
    }
  }
  return null;
}

async function tryAgain(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      // Other bytes stay other bytes.
      if (error instanceof WrongBytes || !(error instanceof KnackError)) throw error;
      await wait(pause, undefined, { signal });
    }
  }
  return work();
}

async function* bytesAt(projectRoot: string, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of artifactBytes(projectRoot, path)) {
    signal.throwIfAborted();
    yield piece;
  }
}
