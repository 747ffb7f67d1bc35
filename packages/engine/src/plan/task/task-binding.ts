import type { RunBinding } from "../../run/run-skill.ts";
import type { NewEvent, Store, TaskRef } from "../../store/store.ts";
import { runEvidence } from "../evidence/run-evidence.ts";
import { readTasks } from "../plan-rows.ts";
import { settleTasks, type TaskChange } from "./settle-tasks.ts";

/**
 * Ties a run to a task: its output is evidence for the requirements it matches, in the transaction of the run, and with
 * `isOwnRun` (the run that the plan made for the task) its end is the task's.
 */
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
        const taken: NewEvent = {
          type: "STATUS_CHANGED",
          ...task,
          runId: run.id,
          payload: { from: "IN_PROGRESS", to: "IN_PROGRESS" },
        };
        const told = events.length === 0 && rows.length > 0 ? [taken] : events;
        await store.record(tx, told, { actor: store.actor, at, rows });
      });
    },
    alongside: async (_run, outcome) => {
      const row = (await readTasks(store.db, task.planId)).find(({ id }) => id === task.taskId);
      if (!row) return {};
      const run = { id: outcome.runId, skill: outcome.skill, evidences: outcome.evidences };
      const evidences = outcome.succeeded ? runEvidence(row, run) : [];
      return {
        evidences,
        work: async (tx) => {
          const change: TaskChange = isOwnRun
            ? ownRun(outcome, row.failures)
            : evidences.length > 0
              ? { failures: 0 }
              : {};
          return settleTasks(tx, task.planId, store.now().toISOString(), new Map([[task.taskId, change]]));
        },
      };
    },
  };
}

function ownRun(
  {
    runId,
    succeeded,
    cancelled = false,
  }: { readonly runId: string; readonly succeeded: boolean; readonly cancelled?: boolean },
  failures: number,
): TaskChange {
  if (succeeded) return { status: "DONE", failures: 0, runId };
  return { status: "FAILED", failures: cancelled ? failures : failures + 1, runId };
}
