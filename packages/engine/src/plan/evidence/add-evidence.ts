import { addEvidences, type NewEvidence } from "../../store/runs/evidences.ts";
import type { NewEvent, Store } from "../../store/store.ts";
import { settleTasks } from "../task/settle-tasks.ts";

/**
 * Binds evidence to requirements of a plan and moves the tasks that waited for it. New evidence gives a task that failed too
 * often another chance. Returns how many were new.
 */
export async function addPlanEvidence(
  store: Store,
  planId: string,
  evidences: readonly (NewEvidence & { readonly taskId: string })[],
): Promise<number> {
  if (evidences.length === 0) return 0;
  return store.db.transaction(async (tx) => {
    const now = store.now();
    const bound = await addEvidences(tx, evidences, now);
    const isNew = new Set(bound.added);
    const added = evidences.filter((evidence) => isNew.has(evidence));
    if (added.length === 0) return 0;
    const at = now.toISOString();
    const changes = new Map(added.map(({ taskId }) => [taskId, { failures: 0 }]));
    const events = added.map(
      ({ data: _, taskId, ...evidence }): NewEvent => ({
        type: "EVIDENCE_ADDED",
        planId,
        taskId,
        runId: null,
        payload: evidence,
      }),
    );
    const settled = await settleTasks(tx, planId, at, changes);
    await store.record(tx, [...events, ...settled.events], {
      actor: store.actor,
      at,
      rows: [...bound.rows, ...settled.rows],
    });
    return added.length;
  });
}
