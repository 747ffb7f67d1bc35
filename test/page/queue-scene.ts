import { setTimeout } from "node:timers/promises";
import { type Machine, type Team, teamSkills, type WorkerProcess } from "../queue/team.ts";

const PLAN = `version: 1
plan: report
title: The report
tasks:
  - { id: figures, title: Compute the figures, skill: on_gpu, params: { text: figures } }
`;

export interface QueueScene extends AsyncDisposable {
  readonly worker: WorkerProcess;
  /** The ids of queued runs by their state. */
  readonly ids: Readonly<Record<"done" | "dead" | "running" | "waiting" | "cancelled", string>>;
}

/** A machine with the skills of a team. A test stops its worker for some seconds, which must not cost it its run. */
export const queueMachine = (team: Team): Machine =>
  team.machine({ ...teamSkills(), "repo/plan.yaml": PLAN }, { KNACK_RUN_LEASE_SECONDS: "30" });

/** Its queue with a run in each state, a task that waits for a tag, and a worker. */
export async function makeQueueScene(team: Team, machine: Machine): Promise<QueueScene> {
  machine.trust();
  const worker = await machine.worker(["--concurrency", "2", "--tags", "eu"]);
  const done = await machine.enqueue("says", "--param", "text=done");
  const more = await machine.enqueue("says", "--param", "text=more");
  const dead = await machine.enqueue("fails");
  for (const ended of [done, more]) await worker.until(({ event, id }) => event === "end" && id === ended);
  await addHistory(team, done);
  while ((await machine.queue()).dead.length === 0) await setTimeout(200);
  const cancelled = await machine.enqueue("on_gpu", "--param", "text=cancelled");
  machine.quick("queue", "cancel", cancelled);
  machine.quick("plan", "run", "plan.yaml", "--queue", "--no-wait");
  const waiting = (await machine.queue()).waiting[0]?.id ?? "";
  const running = await machine.enqueue("says", "--param", "ms=600000");
  await worker.until(({ event, id }) => event === "start" && id === running);
  const ids = { done, dead, running, waiting, cancelled };
  return { worker, ids, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() };
}

/** Copies of a run that ended over the last hour, for the plot. */
async function addHistory(team: Team, id: string): Promise<void> {
  await using db = await team.db();
  await db.run(
    `INSERT INTO queued_runs SELECT (jsonb_populate_record(NULL::queued_runs, to_jsonb(q) || jsonb_build_object(
       'queue_id', q.queue_id || '-' || n, 'finished_at',
       to_char(now() AT TIME ZONE 'UTC' - make_interval(secs => 180 + 25 * n * (2 + sin(n / 9.0))), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))).*
     FROM queued_runs q, generate_series(1, 90) n WHERE q.queue_id = ?`,
    [id],
  );
}
