import type { Answer } from "../../api/client.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { duration } from "../../parts/look/words.tsx";

export type Run = Answer<"/api/runs">["runs"][number];
export type RunDetail = Answer<"/api/runs/{id}">;

/** The state of a run: an icon and a word. */
export function RunState({ run }: { readonly run: Pick<Run, "status" | "error"> }) {
  if (run.status === "SUCCEEDED") return <Badge means="done">Succeeded</Badge>;
  if (run.status === "RUNNING")
    return (
      <Badge means="waits" icon="play">
        Running
      </Badge>
    );
  if (run.error?.code === "SKILL_INTERRUPTED")
    return (
      <Badge means="off" title={run.error.message}>
        Interrupted
      </Badge>
    );
  return (
    <Badge means="failed" {...(run.error ? { title: `${run.error.code}: ${run.error.message}` } : {})}>
      Failed
    </Badge>
  );
}

/** How long a run took, or has taken until `now`. */
export function runTime(
  { started_at, finished_at }: Pick<Run, "started_at" | "finished_at">,
  now: number,
): string {
  const end = finished_at === null ? now : Date.parse(finished_at);
  return duration(Math.max(0, end - Date.parse(started_at)));
}

/** A run can be in the list several times: once as itself, and each time that its result was returned again. */
export const keyOf = ({ id, served }: Pick<Run, "id" | "served">): string =>
  served ? `${id}:${served.seq}` : id;
