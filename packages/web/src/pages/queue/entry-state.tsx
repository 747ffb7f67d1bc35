import type { Answer } from "../../api/client.ts";
import { Badge, type Meaning } from "../../parts/look/badge.tsx";
import type { IconName } from "../../parts/look/icon.tsx";

export type Queue = Answer<"/api/queue">;
export type Entry = Answer<"/api/queue/{id}">;
export type Worker = Queue["workers"][number];

const STATES: Readonly<Record<Entry["state"], readonly [words: string, means: Meaning, icon?: IconName]>> = {
  WAITING: ["Waiting", "waits"],
  RUNNING: ["Running", "waits", "play"],
  FAILED: ["Failed", "failed", "refresh"],
  DEAD: ["Dead", "failed"],
  SUCCEEDED: ["Succeeded", "done"],
  CANCELLED: ["Cancelled", "off"],
};

/** The state of a queued run: an icon and a word. */
export function EntryState({ state }: { readonly state: Entry["state"] }) {
  const [words, means, icon] = STATES[state];
  return (
    <Badge means={means} {...(icon ? { icon } : {})}>
      {words}
    </Badge>
  );
}

export const canRetry = ({ state }: Entry): boolean =>
  state === "DEAD" || state === "FAILED" || state === "CANCELLED";

export const canCancel = ({ state }: Entry): boolean =>
  state === "WAITING" || state === "RUNNING" || state === "FAILED";

/** What tells a run from others of the same skill. */
export const nameOf = ({ skill, task, id }: Entry): string => `${skill} ${task ?? id.slice(0, 8)}`;

/** A worker as people know it. */
export function workerName(id: string, workers: readonly Worker[]): string {
  const known = workers.find((worker) => worker.id === id);
  return known ? `${known.host}, process ${known.pid}` : id;
}

/** Why it is where it is: the reason why nobody takes it, the worker, or the error. */
export function noteOf({ state, error, worker, attempts }: Entry, workers: readonly Worker[]): string {
  if (state === "WAITING") return error ?? "A worker takes it as soon as it is free.";
  if (state === "RUNNING") return worker === null ? "" : `On ${workerName(worker, workers)}`;
  if (state === "FAILED") return `Failed ${attempts} of 3 times, is tried again: ${error ?? ""}`;
  return error ?? "";
}
