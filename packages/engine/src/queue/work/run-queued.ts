import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { codeOf } from "@knack/core/text";
import { ownName, RUN_FOLDER } from "../../artifacts/temporary.ts";
import type { Contents } from "../../contents/contents.ts";
import { materialise } from "../../contents/keep-input.ts";
import { taskBinding } from "../../plan/tasks.ts";
import { followStart } from "../../run/live-runs.ts";
import { type FinishedRun, NO_TASK, type RunBinding } from "../../run/run-skill.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import { EngineError } from "../../shared/engine-error.ts";
import { isConnectionLost } from "../../store/postgres/postgres-errors.ts";
import { type Store, StoreError } from "../../store/store.ts";
import type { Boss } from "../boss.ts";
import { type QueuedRun, UNREADABLE } from "../queued-run.ts";
import { queueBinding, refuseQueued, SETTLED_BY_OTHER, settleLater } from "./settle-queued.ts";

export interface RunQueuedOptions {
  readonly store: Store;
  readonly contents: Contents;
  readonly boss: Boss;
  readonly runs: SkillRuns;
  readonly signal: AbortSignal;
  /** Called when the skill is executed, or waited for. */
  readonly started: (runId: string) => void;
}

/**
 * `ended`: the row says how. `refused`: this worker may not run it any more. `lost`: the database was away or the worker
 * is ending, so others should have it.
 */
export type QueuedEnd =
  | { readonly how: "ended"; readonly finished: FinishedRun | null; readonly error: QueueError | null }
  | { readonly how: "refused" | "lost"; readonly error: QueueError };

interface QueueError {
  readonly code: string;
  readonly message: string;
}

/** Runs what was queued on another machine in the way of `knack run`: same checks, same isolation, same record. */
export async function runQueued(
  /** The skill whose lane it came from. */
  offered: string | undefined,
  queued: QueuedRun,
  options: RunQueuedOptions,
): Promise<QueuedEnd> {
  const { store, contents, boss, runs, signal, started } = options;
  const settling = { store, boss, queued };
  const folder = join(tmpdir(), ownName(RUN_FOLDER));
  try {
    if (queued.skill !== offered)
      throw new EngineError("ACCESS_DENIED", `${queued.skill} is not what this worker offers in this lane.`);
    if (queued.request === UNREADABLE)
      throw new EngineError(
        "INVALID_PARAM",
        "The entry in the queue is damaged: its request cannot be read.",
      );
    const { inputs, recordedAs } = await inputsOf(queued, contents, folder);
    const { params } = queued.request;
    const binding = queueBinding(innerBinding(store, queued), settling);
    const finished = await followStart(
      ({ id }) => started(id),
      () =>
        runs.run(
          queued.skill,
          { inputs, params, recordedAs, signal, actor: store.actor, reach: { kind: "anywhere" } },
          async () => binding,
        ),
    );
    if (!binding.isSettled()) await settleLater(settling, finished.run.id);
    return { how: "ended", finished, error: finished.run.error };
  } catch (error) {
    if (error === SETTLED_BY_OTHER) return { how: "ended", finished: null, error: null };
    const failure = errorOf(error);
    // Bytes that are damaged stay damaged; all other errors of the store may pass.
    const isPassing = (error instanceof StoreError && error.code !== "CORRUPT") || isConnectionLost(error);
    if (signal.aborted || isPassing) return { how: "lost", error: failure };
    if (failure.code === "ACCESS_DENIED") return { how: "refused", error: failure };
    await refuseQueued(settling, failure, FINAL.has(failure.code));
    return { how: "ended", finished: null, error: failure };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Another try cannot change these. */
const FINAL = new Set(["INVALID_PARAM", "NOT_FOUND", "CONFLICT", "CORRUPT", "PERMISSION_DENIED"]);

function innerBinding(store: Store, { planId, taskId, request }: QueuedRun): RunBinding {
  if (taskId === null || planId === null) return NO_TASK;
  return taskBinding(store, { planId, taskId }, request.isOwnRun);
}

/** Copies of the inputs with their own names, since a skill may look at the ending. */
async function inputsOf(
  { request }: QueuedRun,
  contents: Contents,
  folder: string,
): Promise<{
  readonly inputs: readonly { readonly role: string; readonly path: string }[];
  readonly recordedAs: ReadonlyMap<string, string>;
}> {
  const recordedAs = new Map<string, string>();
  const inputs: { role: string; path: string }[] = [];
  for (const [index, input] of request.inputs.entries()) {
    const own = join(folder, String(index + 1));
    await mkdir(own, { recursive: true, mode: 0o700 });
    const path = join(own, nameOf(input.path));
    await materialise(contents, input, path);
    recordedAs.set(path, input.path);
    inputs.push({ role: input.role, path });
  }
  return { inputs, recordedAs };
}

/** Whatever the row says, a name and nothing more. */
function nameOf(path: string): string {
  const name = basename(path).replaceAll("\0", "");
  return name === "" || name === "." || name === ".." ? "input" : name;
}

function errorOf(error: unknown): QueueError {
  const code =
    error instanceof EngineError || codeOf(error) === "CORRUPT" ? codeOf(error) : "EXECUTION_ERROR";
  return { code, message: error instanceof Error ? error.message : String(error) };
}
