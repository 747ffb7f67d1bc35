import type { ProducedEvidence } from "../../shared/typed-skill.ts";
import { type Database, updateRow } from "../database.ts";
import type { NewEvent, RowRef, Store, TaskRef } from "../store.ts";
import { leaseState } from "./claim.ts";
import { addArtifacts, addCachedArtifacts, type NewArtifact } from "./outputs.ts";
import { getRun, RUN_COLUMNS, runOf, type SkillRun } from "./runs.ts";

/** Writes what else belongs to a run, evidence and tasks, in its transaction. Returns its rows and their events. */
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

/**
 * Once this returns `recorded`, the row, everything that belongs to it and the events are on disk. `lost`: the lease was over
 * or the run is settled, so nothing was written.
 */
export async function finishRun(
  store: Store,
  runId: string,
  { isolation, logTail, artifacts: made = [], evidences = [], kept = [], error = null }: RunResult,
  alongside?: Alongside,
): Promise<{ readonly state: "recorded" | "lost"; readonly run: SkillRun | null }> {
  return store.db.transaction(async (tx) => {
    // Read the clock inside the transaction: a process that was stopped before must notice that its lease is over.
    const now = store.now();
    const run = await getRun(tx, runId);
    if (run?.status !== "RUNNING" || leaseState(run, store) === "over") return { state: "lost", run };
    const status = error ? "FAILED" : "SUCCEEDED";
    const { planId, taskId } = run;
    const artifacts = await addArtifacts(tx, { planId, taskId, runId }, made, now);
    const changes = {
      status,
      output_artifacts_json: JSON.stringify(artifacts.added),
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
    const rows: RowRef[] = [{ table: "skill_runs", key: [runId] }, ...artifacts.rows];
    const worked = await alongside?.(tx);
    await recordRun(store, tx, now, { runId, planId, taskId, payload }, { ...artifacts, rows }, worked);
    return { state: "recorded", run: row ? runOf(row) : null };
  });
}

/** Records that a run was served from an earlier success. An event alone needs no sync; a change of a task does. */
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
      const owner = { ...task, runId: run.id };
      // The run's own task has had them since the run.
      const isOwn = run.planId === task.planId && run.taskId === task.taskId;
      const artifacts = isOwn
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
      await recordRun(store, tx, now, { ...owner, payload }, artifacts, await alongside?.(tx));
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

/** The events of a run and its artifacts, and those of what else is `written` with it. */
async function recordRun(
  store: Store,
  tx: Database,
  now: Date,
  { runId, planId, taskId, payload }: Pick<NewEvent, "runId" | "planId" | "taskId" | "payload">,
  { added, rows }: Awaited<ReturnType<typeof addArtifacts>>,
  worked: Worked = { events: [], rows: [] },
): Promise<void> {
  const run = { runId, planId, taskId };
  const events: NewEvent[] = [
    { type: "SKILL_RUN", ...run, payload },
    ...added.map((artifact): NewEvent => ({ type: "ARTIFACT_CREATED", ...run, payload: { ...artifact } })),
    ...worked.events,
  ];
  const by = { actor: store.actor, at: now.toISOString(), rows: [...rows, ...worked.rows] };
  await store.record(tx, events, by);
}
