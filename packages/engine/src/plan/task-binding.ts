import type { RunBinding } from "../run/run-skill.ts";
import type { Store, TaskRef } from "../store/store.ts";
import { readTasks } from "./plan-rows.ts";
import { runEvidence } from "./run-evidence.ts";
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
        const events = await settleTasks(tx, task.planId, at, new Map([[task.taskId, change]]));
        await store.record(tx, events, { actor: store.actor, at });
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
  outcome: { readonly runId: string; readonly succeeded: boolean },
  failures: number,
): TaskChange {
  return outcome.succeeded
    ? { status: "DONE", failures: 0, runId: outcome.runId }
    : { status: "FAILED", failures: failures + 1, runId: outcome.runId };
}
