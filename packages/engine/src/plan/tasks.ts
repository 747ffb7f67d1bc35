import { hash } from "node:crypto";
import { type ErrorCode, fewOf, isStoreError, KnackError, quote } from "@knack/core/text";
import type { RunError } from "../run/claimed-run.ts";
import type { RunBinding, RunOutcome } from "../run/run-skill.ts";
import type { ProducedEvidence } from "../shared/typed-skill.ts";
import { type Database, updateRow } from "../store/database.ts";
import { interruptExpired } from "../store/runs/claim.ts";
import type { Worked } from "../store/runs/finish.ts";
import { addEvidences, type NewEvidence } from "../store/runs/outputs.ts";
import { getRun, type SkillRun } from "../store/runs/runs.ts";
import type { NewEvent, RowRef, Store, TaskRef } from "../store/store.ts";
import type { BlockedReason, TaskStatus } from "./plan.ts";
import { countEvidences, readTasks, type TaskRow } from "./plan-rows.ts";
import { orderTasks, standingOf } from "./readiness.ts";

/** The task that `task` or `plan/task` means; a bare id in two plans is refused with both. */
export async function findTask(db: Database, given: string): Promise<TaskRow> {
  const slash = given.indexOf("/");
  const [planId, taskId] =
    slash === -1 ? [undefined, given] : [given.slice(0, slash), given.slice(slash + 1)];
  const rows = await db.all("SELECT plan_id FROM task_nodes WHERE task_id = ? ORDER BY plan_id", [taskId]);
  const plans = rows
    .map((row) => String(row.plan_id))
    .filter((plan) => planId === undefined || plan === planId);
  const [plan, ...others] = plans;
  if (plan === undefined) {
    throw new KnackError(
      "NOT_FOUND",
      `No applied plan has a task ${quote(given)}. "knack plan status <plan.yaml>" lists the tasks of a plan, "knack plan apply <plan.yaml>" applies it.`,
    );
  }
  if (others.length > 0) {
    const candidates = plans.map((name) => `${name}/${taskId}`);
    throw new KnackError(
      "INVALID_PARAM",
      `Several plans have a task ${quote(given)}; name one of ${fewOf(candidates)}.`,
      { candidates },
    );
  }
  const task = (await readTasks(db, plan)).find(({ id }) => id === taskId);
  if (!task) throw new KnackError("NOT_FOUND", `The task ${quote(given)} no longer exists.`);
  return task;
}

export interface TaskChange {
  readonly status?: TaskStatus;
  readonly failures?: number;
  readonly runId?: string | null;
}

/** Brings every task of a plan to where it stands now. Answers the rows that it wrote and the events of those that moved. */
export async function settleTasks(
  tx: Database,
  planId: string,
  at: string,
  changes: ReadonlyMap<string, TaskChange> = new Map(),
): Promise<Worked> {
  const tasks = await readTasks(tx, planId);
  const order = orderTasks(tasks);
  if ("cycle" in order) throw new Error(`The stored plan ${planId} has a cycle.`);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const settled = new Map<string, Pick<TaskRow, "status" | "runId">>();
  const events: NewEvent[] = [];
  const rows: RowRef[] = [];
  for (const id of order.order) {
    const task = byId.get(id) as TaskRow;
    const change = changes.get(id) ?? {};
    const failures = change.failures ?? task.failures;
    const runId = change.runId === undefined ? task.runId : change.runId;
    const { status, blockedReason } = standingOf({
      status: change.status ?? task.status,
      dependsOn: task.dependsOn.map((before) => settled.get(before)?.status ?? "PENDING"),
      requirements: task.requirements.map((one) => ({ ...one, have: countEvidences(one, settled) })),
      failures,
    });
    settled.set(id, { status, runId });
    const moved = status !== task.status || blockedReason !== task.blockedReason;
    if (!moved && failures === task.failures && runId === task.runId) continue;
    const columns = { status, blocked_reason: blockedReason, failures, skill_run_id: runId, updated_at: at };
    await updateRow(tx, "task_nodes", { plan_id: planId, task_id: id }, columns);
    rows.push({ table: "task_nodes", key: [planId, id] });
    if (moved) events.push(statusChanged(task, status, blockedReason));
  }
  return { events, rows };
}

/** The same, and records it: `first` and the events of the tasks that moved, with `rows` besides those of tasks. */
export async function recordTasks(
  store: Store,
  tx: Database,
  planId: string,
  changes: ReadonlyMap<string, TaskChange>,
  first: Worked = { events: [], rows: [] },
): Promise<void> {
  const at = store.now().toISOString();
  const { events, rows } = await settleTasks(tx, planId, at, changes);
  const all = [...first.events, ...events];
  await store.record(tx, all, { actor: store.actor, at, rows: [...first.rows, ...rows] });
}

function statusChanged(task: TaskRow, status: TaskStatus, blockedReason: BlockedReason | null): NewEvent {
  return {
    type: "STATUS_CHANGED",
    planId: task.planId,
    taskId: task.id,
    payload: {
      from: task.status,
      to: status,
      ...(task.blockedReason ? { from_reason: task.blockedReason } : {}),
      ...(blockedReason ? { reason: blockedReason } : {}),
    },
  };
}

/** Binds evidence to requirements; of tasks that got something new, earlier failures count no more. */
export async function bindEvidence(
  tx: Database,
  planId: string,
  evidences: readonly NewEvidence[],
  now: Date,
  runId?: string,
): Promise<Worked & { readonly changes: Map<string, TaskChange> }> {
  const { added, rows } = await addEvidences(tx, evidences, now);
  const changes = new Map(added.map(({ taskId }) => [taskId, { failures: 0 }]));
  // Of a confirmation the data says who gave it; other data may be large, and its digest identifies it.
  const events = added.map(({ data, taskId, ...stated }): NewEvent => {
    const payload = stated.type === "CONFIRMATION" ? { ...stated, ...data } : stated;
    return { type: "EVIDENCE_ADDED", planId, taskId, ...(runId === undefined ? {} : { runId }), payload };
  });
  return { events, rows, changes };
}

/** Ties a run to a task: its output is evidence for it. `isOwnRun`: for the whole plan, and its end is the task's. */
export function taskBinding(
  store: Store,
  task: TaskRef & { readonly planId: string; readonly taskId: string },
  isOwnRun: boolean,
): RunBinding {
  return {
    task,
    started: async (run) => {
      if (!isOwnRun) return;
      await store.db.transaction(async (tx) => {
        const at = store.now().toISOString();
        const change: TaskChange = { status: "IN_PROGRESS", runId: run.id };
        const { events, rows } = await settleTasks(tx, task.planId, at, new Map([[task.taskId, change]]));
        // A task that was in progress already has another run now, and the log must say so.
        const payload = { from: "IN_PROGRESS", to: "IN_PROGRESS" };
        const taken: NewEvent = { type: "STATUS_CHANGED", ...task, runId: run.id, payload };
        const told = events.length === 0 && rows.length > 0 ? [taken] : events;
        await store.record(tx, told, { actor: store.actor, at, rows });
      });
    },
    alongside: (run, outcome) => async (tx) => {
      const { planId, taskId } = task;
      const now = store.now();
      const tasks = await readTasks(tx, planId);
      const row = tasks.find(({ id }) => id === taskId);
      // The plan was edited meanwhile.
      if (!row) return { events: [], rows: [] };
      const [asking, maker] = isOwnRun ? [tasks, taskId] : [[row], null];
      const evidences = outcome.succeeded
        ? asking.flatMap((one) => runEvidence(one, run, outcome, maker))
        : [];
      const { changes, ...bound } = await bindEvidence(tx, planId, evidences, now, run.id);
      if (isOwnRun) changes.set(taskId, ownRun(run.id, outcome, row.failures));
      const settled = await settleTasks(tx, planId, now.toISOString(), changes);
      return { events: [...bound.events, ...settled.events], rows: [...bound.rows, ...settled.rows] };
    },
  };
}

function ownRun(runId: string, { succeeded, cancelled = false }: RunOutcome, failures: number): TaskChange {
  if (succeeded) return { status: "DONE", failures: 0, runId };
  return { status: "FAILED", failures: cancelled ? failures : failures + 1, runId };
}

/** Another process refused or cancelled the run of a task, and has settled the task. */
export interface SettledTask {
  readonly status: "READY" | "FAILED";
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** What kept a run from beginning, as it is recorded. */
export function refusalOf(error: unknown): RunError {
  const isStated = error instanceof KnackError && (!isStoreError(error) || error.code === "CORRUPT");
  const code = isStated ? error.code : "EXECUTION_ERROR";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

/** Records that a task's run was refused before it began: READY where an approval is missing, otherwise a failure. */
export async function refuseTask(
  tx: Database,
  store: Store,
  { planId, taskId }: { readonly planId: string; readonly taskId: string },
  error: RunError,
  stays = error.code === "ACCESS_DENIED",
): Promise<"READY" | "FAILED"> {
  const row = (await readTasks(tx, planId)).find(({ id }) => id === taskId);
  const failures = (row?.failures ?? 0) + (stays ? 0 : 1);
  const status = stays ? "READY" : "FAILED";
  const refused: NewEvent = { type: "ERROR", planId, taskId, payload: { ...error } };
  const first = { events: [refused], rows: [] };
  await recordTasks(store, tx, planId, new Map([[taskId, { status, failures }]]), first);
  return status;
}

/** A task that is IN_PROGRESS by a run that is over was left behind by a process that died; it can be taken again. */
export async function releaseTasks(store: Store, planId: string): Promise<void> {
  const left = (await readTasks(store.db, planId)).filter(({ status }) => status === "IN_PROGRESS");
  if (left.length === 0) return;
  await interruptExpired(store);
  await store.db.transaction(async (tx) => {
    const changes = new Map<string, TaskChange>();
    for (const { id, status, runId } of await readTasks(tx, planId)) {
      if (status !== "IN_PROGRESS") continue;
      const run = runId === null ? null : await getRun(tx, runId);
      if (run?.status !== "RUNNING") changes.set(id, { status: "READY" });
    }
    await recordTasks(store, tx, planId, changes);
  });
}

/** What a run says for the requirements of a task: by skill, by kind of evidence, and by the task whose own run it is. */
function runEvidence(
  task: TaskRow,
  run: Pick<SkillRun, "id" | "skill">,
  { evidences, artifacts }: RunOutcome,
  maker: string | null,
): NewEvidence[] {
  const asking = task.requirements.filter(
    (one) =>
      one.kind === "SKILL_OUTPUT" &&
      (one.skill === null || one.skill === run.skill) &&
      (one.task === null || one.task === maker),
  );
  // A requirement without a kind takes the artifacts, or the run itself where it made none.
  const made = artifacts.map(({ name, path, sha256 }) => ({ kind: null, data: { name, path, sha256 } }));
  const whole = made.length > 0 ? made : [{ kind: null, data: {} }];
  return asking.flatMap((requirement) => {
    const said: { kind: string | null; data: ProducedEvidence["data"] }[] =
      requirement.evidence === null ? whole : evidences.filter(({ kind }) => kind === requirement.evidence);
    return said.map(
      ({ kind, data }): NewEvidence => ({
        taskId: task.id,
        requirementId: requirement.id,
        type: "SKILL_OUTPUT",
        kind,
        refId: run.id,
        refPath: typeof data.path === "string" ? data.path : null,
        sha256: hash("sha256", JSON.stringify([kind, data])),
        data,
      }),
    );
  });
}
