import { dirname, resolve } from "node:path";
import { span } from "@knack/core/telemetry";
import { fewOf, isStoreError, KnackError, quote } from "@knack/core/text";
import { hashInput } from "../run/hash-input.ts";
import type { ConfirmInput } from "../run/input-kinds.ts";
import { containment, type GivenInput, type Reach } from "../run/prepare-run.ts";
import type { FinishedRun, RunBinding } from "../run/run-skill.ts";
import type { Database } from "../store/database.ts";
import { getRun, type RunArtifact } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import type { Plan, PlanTask, TaskStatus } from "./plan.ts";
import { type PlanStatus, planStatus, type TaskOutcome } from "./plan-report.ts";
import { readTasks, type TaskRow, taskDigest } from "./plan-rows.ts";
import { tasksBefore } from "./readiness.ts";
import { recordTasks, refusalOf, refuseTask, type SettledTask, taskBinding } from "./tasks.ts";

/** Runs one typed skill for a task, as a person would. `queued`: it waits for a worker, and nobody here waits for it. */
export type RunForTask = (
  skill: string,
  request: {
    readonly inputs: readonly GivenInput[];
    readonly params: Readonly<Record<string, unknown>>;
    readonly confirm: ConfirmInput;
  },
  binding: RunBinding,
  /** The task as it stood: one that is DONE is only checked again. */
  task: { readonly id: string; readonly isDone: boolean },
) => Promise<FinishedRun | SettledTask | "queued">;

export interface RunPlanOptions {
  readonly projectRoot: string;
  readonly parallel: number;
  /** The one task to run; by default all of them. */
  readonly task?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((step: PlanStep) => void) | undefined;
  /** Others run the tasks and settle them, so that an interruption here changes nothing. */
  readonly isFollowing?: boolean | undefined;
  /** Brings an artifact of an earlier task that another machine made. */
  readonly fetch?: ((artifact: RunArtifact) => Promise<void>) | undefined;
}

export interface PlanStep {
  readonly task: string;
  readonly status: TaskStatus;
  readonly cached?: boolean | undefined;
  readonly error?: TaskOutcome["error"];
  readonly kept?: TaskOutcome["kept"];
}

/** Executes READY tasks until none is left, each once. A DONE task runs again if its input, parameters or code changed. */
export async function runPlan(
  store: Store,
  plan: Plan,
  run: RunForTask,
  options: RunPlanOptions,
): Promise<PlanStatus> {
  const { parallel, signal } = options;
  const outcomes = new Map<string, TaskOutcome>();
  const tried = new Set<string>();
  const inWork = new Map<string, Promise<void>>();
  const { task: only } = options;
  const wanted = only === undefined ? plan.tasks : plan.tasks.filter(({ id }) => id === only);
  if (wanted.length === 0 && only !== undefined) {
    const ids = fewOf(plan.tasks.map(({ id }) => id));
    throw new KnackError(
      "NOT_FOUND",
      `The plan ${plan.id} has no task ${quote(only)}; its tasks are ${ids}.`,
    );
  }
  try {
    for (;;) {
      // A task that ends while the rows are read may make another READY.
      const wasIdle = inWork.size === 0;
      const rows = signal.aborted ? [] : await readTasks(store.db, plan.id);
      const status = new Map(rows.map((row) => [row.id, row.status]));
      const settled = (id: string): boolean =>
        (only !== undefined || tried.has(id)) && !inWork.has(id) && status.get(id) === "DONE";
      const next = wanted.filter(
        (task) =>
          !tried.has(task.id) &&
          MAY_RUN.has(status.get(task.id) ?? "PENDING") &&
          tasksBefore(task).every(settled),
      );
      for (const task of next.slice(0, Math.max(0, parallel - inWork.size))) {
        tried.add(task.id);
        const attributes = {
          "knack.plan.id": plan.id,
          "knack.task.id": task.id,
          "knack.skill.name": task.skill,
        };
        const work = span("plan.task", attributes, async (traced) => {
          const isDone = status.get(task.id) === "DONE";
          const outcome = await runTask(store, plan, task, isDone, run, options);
          traced.set({ "knack.run.cached": outcome.cached });
          if (outcome.error) traced.fail(outcome.error.code);
          outcomes.set(task.id, outcome);
          inWork.delete(task.id);
        });
        inWork.set(task.id, work);
      }
      if (inWork.size > 0) await Promise.race(inWork.values());
      else if (wasIdle) break;
    }
  } finally {
    // Where the database failed one task, it must not be closed under the others.
    await Promise.allSettled(inWork.values());
  }
  signal.throwIfAborted();
  return planStatus(store.db, plan.id, outcomes);
}

/** A task that is IN_PROGRESS belongs to a process that died or that has its key: asking for the run tells which. */
const MAY_RUN: ReadonlySet<TaskStatus> = new Set(["READY", "FAILED", "DONE", "IN_PROGRESS"]);

async function runTask(
  store: Store,
  plan: Plan,
  task: PlanTask,
  isDone: boolean,
  run: RunForTask,
  options: RunPlanOptions,
): Promise<TaskOutcome> {
  const { signal, onProgress, isFollowing = false } = options;
  const tell = (status: TaskStatus, outcome: TaskOutcome = {}): TaskOutcome => {
    onProgress?.({ task: task.id, status, ...outcome });
    return outcome;
  };
  if (task.skill === null) {
    const done = new Map([[task.id, { status: "DONE" } as const]]);
    await store.db.transaction((tx) => recordTasks(store, tx, plan.id, done));
    return tell("DONE");
  }
  try {
    const inputs = await taskInputs(store.db, plan, task.inputs, options);
    const bound = taskBinding(store, { planId: plan.id, taskId: task.id }, true);
    const started: RunBinding["started"] = async (begun) => {
      await bound.started(begun);
      tell("IN_PROGRESS");
    };
    const request = { inputs, params: task.params, confirm: confirmedFor(store.db, plan, task) };
    const finished = await run(task.skill, request, { ...bound, started }, { id: task.id, isDone });
    if (finished === "queued") return tell("READY");
    if ("status" in finished) return tell(finished.status, { error: finished.error });
    const { error } = finished.run;
    const outcome = { cached: finished.cached, ...(finished.kept?.length && { kept: finished.kept }) };
    return error ? tell("FAILED", { ...outcome, error }) : tell("DONE", outcome);
  } catch (error) {
    if (isStoreError(error) || (isFollowing && signal.aborted)) throw error;
    const refusal = refusalOf(error);
    const stays = signal.aborted || refusal.code === "ACCESS_DENIED";
    const ref = { planId: plan.id, taskId: task.id };
    const status = await store.db.transaction((tx) => refuseTask(tx, store, ref, refusal, stays));
    return tell(status, { error: refusal });
  }
}

/** The confirmations that people gave for the task. One from before a change of the task or its files does not count. */
function confirmedFor(db: Database, plan: Plan, task: PlanTask): ConfirmInput {
  return async ({ role, inputs }) => {
    const row = (await readTasks(db, plan.id)).find(({ id }) => id === task.id);
    const given = row?.requirements
      .find(({ name }) => name === role)
      ?.evidences.findLast(({ type }) => type === "CONFIRMATION");
    if (!row || !given) return null;
    const by = given.by ?? "unknown";
    const digests = inputs.map(({ sha256 }) => sha256);
    const isSame = given.inputs.every((sha256) => digests.includes(sha256));
    if (isSame && given.sha256 === taskDigest(row)) return { by, at: given.created_at };
    const others = inputs.filter(({ sha256 }) => !given.inputs.includes(sha256)).map(({ path }) => path);
    const what = isSame ? `The task ${task.id}` : `The task ${task.id}: ${fewOf(others)}`;
    throw new KnackError(
      "ACCESS_DENIED",
      `${what} was changed after ${by} confirmed ${role} at ${given.created_at}. Confirm it again: "knack evidence add ${plan.id}/${task.id} ${role} --confirm".`,
    );
  };
}

/** The digests of what a task would get now; of an input that is not there yet, none. */
export async function inputDigests(
  db: Database,
  task: TaskRow,
  { projectRoot, reach }: { readonly projectRoot: string; readonly reach: Reach },
): Promise<string[]> {
  const stored = await db.get("SELECT path FROM plans WHERE plan_id = ?", [task.planId]);
  const plan = { id: task.planId, file: String(stored?.path) };
  const digests = task.inputs.map(async (input) => {
    try {
      const [{ path } = { path: "" }] = await taskInputs(db, plan, [input], { projectRoot });
      return (await hashInput(path, { within: containment(reach, path, projectRoot) })).sha256;
    } catch (error) {
      if (error instanceof KnackError && !isStoreError(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(digests)).flat();
}

/** A task's inputs as absolute paths: files beside the plan, artifacts where the run of the task before put them. */
async function taskInputs(
  db: Database,
  plan: Pick<Plan, "id" | "file">,
  wanted: PlanTask["inputs"],
  { projectRoot, fetch }: Pick<RunPlanOptions, "projectRoot" | "fetch">,
): Promise<GivenInput[]> {
  const rows = await readTasks(db, plan.id);
  return Promise.all(
    wanted.map(async (input) => {
      if ("file" in input) return { role: input.role, path: resolve(dirname(plan.file), input.file) };
      const runId = rows.find(({ id }) => id === input.task)?.runId ?? "";
      const artifacts = (await getRun(db, runId))?.artifacts ?? [];
      const artifact = artifacts.find(({ name }) => name === input.artifact);
      if (!artifact)
        throw new KnackError(
          "NOT_FOUND",
          `The task ${input.task} did not create the artifact "${input.artifact}".`,
        );
      await fetch?.(artifact);
      return { role: input.role, path: resolve(projectRoot, artifact.path) };
    }),
  );
}
