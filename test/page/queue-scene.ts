import { expect } from "vitest";
import { type Machine, type Team, teamSkills, type WorkerProcess } from "../queue/team.ts";

const PLAN = `version: 1
plan: report
title: The report
tasks:
  - { id: figures, title: Compute the figures, skill: on_gpu, params: { text: figures } }
`;

export interface QueueScene extends AsyncDisposable {
  readonly machine: Machine;
  readonly worker: WorkerProcess;
  /** The ids of queued runs by their state. */
  readonly ids: Readonly<Record<"done" | "dead" | "running" | "waiting" | "cancelled", string>>;
}

/** Queues a run and returns its id. */
export async function enqueue(machine: Machine, ...args: readonly string[]): Promise<string> {
  const { code, json, stderr } = await machine.knack(["run", ...args, "--queue", "--no-wait", "--json"]);
  expect(code, stderr).toBe(0);
  return json().id;
}

/** A team's queue with a run in each state, a task that waits for a tag, and a worker. */
export async function makeQueueScene(team: Team): Promise<QueueScene> {
  // A test stops the worker for some seconds, which must not cost it its run.
  const machine = team.machine(
    { ...teamSkills(), "repo/plan.yaml": PLAN },
    { KNACK_RUN_LEASE_SECONDS: "30" },
  );
  machine.trust();
  const worker = await machine.worker(["--concurrency", "2", "--tags", "eu"]);
  const done = await enqueue(machine, "says", "--param", "text=done");
  await worker.until(({ event, id }) => event === "end" && id === done);
  await addHistory(team, done);
  await machine.knack(["run", "says", "--param", "text=more", "--queue"]);
  // Without --no-wait a command waits until its run is dead.
  await machine.knack(["run", "fails", "--queue"]);
  const dead = (await machine.queue()).dead[0]?.id ?? "";
  const cancelled = await enqueue(machine, "on_gpu", "--param", "text=cancelled");
  expect((await machine.knack(["queue", "cancel", cancelled])).code).toBe(0);
  expect((await machine.knack(["plan", "run", "plan.yaml", "--queue", "--no-wait"])).code).toBe(0);
  const waiting = (await machine.queue()).waiting[0]?.id ?? "";
  const running = await enqueue(machine, "says", "--param", "ms=600000");
  await worker.until(({ event, id }) => event === "start" && id === running);
  const ids = { done, dead, running, waiting, cancelled };
  return { machine, worker, ids, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() };
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
