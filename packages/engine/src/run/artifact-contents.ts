import { setTimeout as wait } from "node:timers/promises";
import { codeOf, KnackError } from "@knack/core/text";
import { restoreArtifact } from "../artifacts/place-artifact.ts";
import type { Leftovers } from "../artifacts/temporary.ts";
import { digestAt, type RecordedArtifact, verifyArtifact } from "../artifacts/verify-artifact.ts";
import type { Contents } from "../contents/contents.ts";
import { artifactBytes } from "../contents/keep-input.ts";
import type { KeptEdit } from "../store/runs/finish.ts";
import { isMadeByAnother } from "../store/runs/outputs.ts";
import type { RunArtifact } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import type { ClaimedRun, ClaimedRunOptions, Executed } from "./claimed-run.ts";

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

interface FetchOptions {
  readonly contents: Contents;
  readonly projectRoot: string;
  readonly leftovers?: Leftovers | undefined;
  /** Whether a changed file at this path may be moved aside; without it only what is missing is fetched. */
  readonly mayReplace?: ((path: string) => Promise<boolean>) | undefined;
}

/** Brings an artifact from where all machines keep theirs. Returns the edits moved aside; `null` if it cannot be had. */
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
    const kept = await restoreArtifact({ projectRoot, path, sha256, replace, leftovers }, bytes);
    return kept?.map((kept_as) => ({ path, kept_as })) ?? null;
  } catch (error) {
    if (codeOf(error) === "CORRUPT") return null;
    throw error;
  }
}

/** Brings the artifacts of a success from where all machines keep theirs, where there is such a place. */
export function artifactFetcher(
  store: Store,
  { key }: { readonly key: string },
  { contents, projectRoot, leftovers }: Pick<ClaimedRunOptions, "contents" | "projectRoot" | "leftovers">,
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

const PAUSES_MS = [200, 1000];

/** Stores the artifacts of a success for all machines before it is recorded: no record names bytes that nobody has. */
export async function keepOutputs(
  executed: Executed,
  { contents, projectRoot, signal }: ClaimedRun,
): Promise<Executed> {
  if (!contents || executed.error) return executed;
  for (const { path, sha256, size_bytes: size } of executed.artifacts) {
    const bytes = () => bytesAt(projectRoot, path, signal);
    try {
      await tryAgain(() => contents.put({ sha256, size }, bytes), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof KnackError)) throw error;
      const message = `${path} was made but could not be stored: ${error.message}`;
      return { ...executed, artifacts: [], evidences: [], error: { code: "E_ARTIFACT_STORE", message } };
    }
  }
  return executed;
}

async function tryAgain(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      // Other bytes stay other bytes.
      if (codeOf(error) === "CORRUPT" || !(error instanceof KnackError)) throw error;
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
