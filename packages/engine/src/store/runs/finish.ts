import type { ProducedEvidence } from "../../shared/skill-function.ts";
import { type Database, updateRow } from "../database.ts";
import type { NewEvent, RowRef, Store, TaskRef } from "../store.ts";
import { leaseState } from "./claim.ts";
import { addArtifacts, addCachedArtifacts, type NewArtifact } from "./outputs.ts";
import { getRun, RUN_COLUMNS, type RunArtifact, runOf, type SkillRun } from "./runs.ts";

/**
 * Writes what else belongs to a run in its transaction: evidence for its plan, and changes of tasks. Returns the rows that it
 * wrote, and their events; those of the run and its artifacts are always written.
 */
export type Alongside = (tx: Database) => Promise<Worked>;

/** A file that the user had edited: its path, and where it is kept now. Paths are relative to the project. */
export interface KeptEdit {
  readonly path: string;
  readonly kept_as: string;
}

export interface Worked {
  readonly events: readonly NewEvent[];
  readonly rows: readonly RowRef[];
}

/** What came of a run. Its artifact files are synced and in place before it is recorded. */
export interface RunResult {
  readonly isolation: string | null;
  readonly logTail: string;
  readonly artifacts?: readonly NewArtifact[];
  readonly evidences?: readonly ProducedEvidence[];
  readonly kept?: readonly KeptEdit[];
  readonly error?: { readonly code: string; readonly message: string } | null;
}

/** `lost`: the lease was over or the run is settled, so nothing was written. */
export interface Finish {
  readonly state: "recorded" | "lost";
  readonly run: SkillRun | null;
}

/** Once this returns `recorded`, the row, everything that belongs to it and the events are on disk. */
export async function finishRun(
  store: Store,
  runId: string,
  { isolation, logTail, artifacts: made = [], evidences = [], kept = [], error = null }: RunResult,
  alongside?: Alongside,
): Promise<Finish> {
  return store.db.transaction(async (tx) => {
    // Read the clock inside the transaction: a process that was stopped before must notice that its lease is over.
    const now = store.now();
    const run = await getRun(tx, runId);
    if (run?.status !== "RUNNING" || leaseState(run, store) === "over") return { state: "lost", run };
    const status = error ? "FAILED" : "SUCCEEDED";
    const { added: artifacts, rows } = await addArtifacts(tx, { ...run, runId }, made, now);
    const changes = {
      status,
      output_artifacts_json: JSON.stringify(artifacts),
      output_evidences_json: JSON.stringify(evidences),
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      isolation,
      log_tail: logTail,
      finished_at: now.toISOString(),
    };
    const end = `RETURNING ${RUN_COLUMNS}`;
    const row = await updateRow(tx, "skill_runs", { skill_run_id: runId }, changes, end);
    const payload = {
      skill: run.skill,
      key: run.key,
      status,
      cached: false,
      isolation,
      ...confirmations(run.inputs),
      ...(error && { error }),
      ...(kept.length > 0 && { kept }),
    };
    const written: RowRef[] = [{ table: "skill_runs", key: [runId] }, ...rows];
    await recordRun(store, tx, { run, task: run, payload, added: artifacts, written, now }, alongside);
    return { state: "recorded", run: row ? runOf(row) : null };
  });
}

/**
 * Records that a run was served from an earlier success: its event, its artifacts for the asking task, its evidence. An
 * event alone needs no sync; a change of a task does.
 */
export async function recordCachedRun(
  store: Store,
  run: SkillRun,
  /** As it was asked for now. */
  { inputs = [], ...task }: TaskRef & { readonly inputs?: SkillRun["inputs"] },
  alongside?: Alongside,
  kept: readonly KeptEdit[] = [],
): Promise<void> {
  const durable = task.taskId !== null || alongside !== undefined;
  await store.db.transaction(
    async (tx) => {
      const now = store.now();
      const owner = { planId: task.planId, taskId: task.taskId, runId: run.id };
      // The run's own task has had them since the run.
      const isOwn = run.planId === task.planId && run.taskId === task.taskId;
      const { added, rows } = isOwn
        ? { added: [], rows: [] }
        : await addCachedArtifacts(tx, owner, run.artifacts, now);
      const payload = {
        skill: run.skill,
        key: run.key,
        status: run.status,
        cached: true,
        ...confirmations(inputs),
        ...(kept.length > 0 && { kept }),
      };
      await recordRun(store, tx, { run, task, payload, added, written: rows, now }, alongside);
    },
    { durable },
  );
}

/** Who confirmed what, and when: the digest is that of what was confirmed. */
function confirmations(inputs: SkillRun["inputs"]): NewEvent["payload"] {
  const confirmed = inputs.flatMap(({ role, sha256, confirmed_by: by, confirmed_at: at }) =>
    by === undefined ? [] : [{ role, by, at, sha256 }],
  );
  return confirmed.length > 0 ? { confirmed } : {};
}

interface Trace {
  readonly run: SkillRun;
  readonly task: TaskRef;
  readonly payload: NewEvent["payload"];
  readonly added: readonly RunArtifact[];
  readonly written: readonly RowRef[];
  readonly now: Date;
}

async function recordRun(store: Store, tx: Database, trace: Trace, alongside?: Alongside): Promise<void> {
  const worked = await alongside?.(tx);
  const event = (type: NewEvent["type"], payload: NewEvent["payload"]): NewEvent => ({
    type,
    planId: trace.task.planId,
    taskId: trace.task.taskId,
    runId: trace.run.id,
    payload,
  });
  const events = [
    event("SKILL_RUN", trace.payload),
    ...trace.added.map((artifact) => event("ARTIFACT_CREATED", { ...artifact })),
    ...(worked?.events ?? []),
  ];
  const rows = [...trace.written, ...(worked?.rows ?? [])];
  await store.record(tx, events, { actor: store.actor, at: trace.now.toISOString(), rows });
}
