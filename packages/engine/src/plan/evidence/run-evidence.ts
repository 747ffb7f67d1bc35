import { createHash } from "node:crypto";
import type { ProducedEvidence } from "../../shared/skill-function.ts";
import type { NewEvidence } from "../../store/runs/evidences.ts";
import type { TaskRow } from "../plan-rows.ts";

/** What a run says for the requirements of the task it was run for, by skill and by kind of evidence. */
export function runEvidence(
  task: TaskRow,
  run: { readonly id: string; readonly skill: string; readonly evidences: readonly ProducedEvidence[] },
): NewEvidence[] {
  const asking = task.requirements.filter(
    ({ kind, skill }) => kind === "SKILL_OUTPUT" && (skill === null || skill === run.skill),
  );
  return asking.flatMap((requirement) => {
    // A requirement without a kind needs only the run itself, even if it made nothing but artifacts.
    const said =
      requirement.evidence === null
        ? [{ kind: null, data: {} as ProducedEvidence["data"] }]
        : run.evidences.filter(({ kind }) => kind === requirement.evidence);
    return said.map(
      ({ kind, data }): NewEvidence => ({
        requirementId: requirement.id,
        type: "SKILL_OUTPUT",
        kind,
        refId: run.id,
        refPath: typeof data.path === "string" ? data.path : null,
        sha256: createHash("sha256")
          .update(JSON.stringify([kind, data]))
          .digest("hex"),
        data,
      }),
    );
  });
}
