import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { verifyStore } from "../../packages/engine/src/audit/verify-store.ts";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import type { PostgresDatabase } from "../../packages/engine/src/store/postgres/postgres.ts";
import { randomFrom } from "../../packages/engine/src/store/testing/crash-cycles.ts";
import type { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { type Machine, type Team, WorkerProcess } from "./team.ts";

export interface CrashTeamOptions {
  readonly runs: number;
  readonly workers: number;
  /** How often the database is restarted, in turn orderly and as after a power cut. */
  readonly restarts: number;
  readonly seed: number;
  readonly maxMs: number;
  readonly tell?: (line: string) => void;
}

export interface CrashTeamReport {
  readonly kills: number;
  readonly restarts: number;
  readonly seconds: number;
  /** What was violated. */
  readonly problems: readonly string[];
}

const KILL_EVERY_MS = 1000;
/** Dead workers are noticed as soon as pg-boss can. */
const QUICK = { ...process.env, KNACK_RUN_LEASE_SECONDS: "3" };

/**
 * Queues runs, lets workers run them, kills a random worker every second in which some ended and starts another, and restarts the
 * database now and then. In the end every run must be recorded exactly once.
 */
export async function crashTeam(
  team: Team,
  server: TestServer,
  options: CrashTeamOptions,
): Promise<CrashTeamReport> {
  const { runs, tell = () => undefined } = options;
  const machines = Array.from({ length: options.workers }, () => team.machine());
  await queueRuns(team, runs);
  tell(`${runs} runs are queued`);
  await using db = await team.db();
  const began = performance.now();
  const { kills, restarts, problem } = await chaos(server, machines, db, options);
  const seconds = (performance.now() - began) / 1000;
  return { kills, restarts, seconds, problems: [...problem, ...(await problemsOf(db, runs))] };
}

/** Small files, each with bytes of its own. */
async function queueRuns(team: Team, runs: number): Promise<void> {
  const asking = team.machine();
  const root = asking.folder.at("repo");
  await using engine = Object.assign(
    await openEngine({ projectRoot: root, registry: [], store: team.url, env: QUICK }),
    {
      [Symbol.asyncDispose]: () => engine.close(),
    },
  );
  let next = 0;
  const some = async (): Promise<void> => {
    for (let n = next++; n < runs; n = next++) {
      const file = asking.folder.at(`repo/${n}.txt`);
      writeFileSync(file, `${n}\n`);
      await engine.enqueue("file_fingerprint", { inputs: [{ path: file }] });
    }
  };
  await Promise.all(Array.from({ length: 6 }, some));
}

async function chaos(
  server: TestServer,
  machines: readonly Machine[],
  db: PostgresDatabase,
  { runs, restarts, seed, maxMs, tell = () => undefined }: CrashTeamOptions,
): Promise<{ kills: number; restarts: number; problem: string[] }> {
  const random = randomFrom(seed);
  const start = (machine: Machine): WorkerProcess =>
    new WorkerProcess(machine.start(["worker", "--json", "--concurrency", "8"]));
  const workers = machines.map(start);
  let [kills, restarted, before] = [0, 0, runs];
  const end = performance.now() + maxMs;
  try {
    for (let turn = 1; ; turn++) {
      await wait(KILL_EVERY_MS);
      const left = await countRuns(db, "'WAITING', 'RUNNING', 'FAILED'");
      if (turn % 10 === 0) tell(`${left} open, ${kills} kills, ${restarted} restarts`);
      if (left === 0 && (await countRuns(db, "'DEAD'")) === 0)
        return { kills, restarts: restarted, problem: [] };
      // Each worker that died cost them a try; a person gives them new ones.
      if (left === 0) await machines[0]?.knack(["queue", "retry", "--all"]);
      if (performance.now() > end)
        return { kills, restarts: restarted, problem: [`${left} runs are open after ${maxMs} ms`] };
      for (const { child, stderr } of workers)
        if (child.exitCode !== null) throw new Error(`A worker ended by itself:\n${stderr}`);
      // On a busy machine workers would be killed before they have done anything.
      if (left === before) continue;
      before = left;
      const place = Math.floor(random() * workers.length);
      workers[place]?.child.kill("SIGKILL");
      await workers[place]?.ended;
      workers[place] = start(machines[place] as Machine);
      kills++;
      // Spread over the work, so that the last comes while there is still some.
      if (restarted < restarts && left < runs - ((restarted + 1) * runs) / (restarts + 1)) {
        await server.restart(restarted % 2 === 0 ? "fast" : "crash");
        restarted++;
      }
    }
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  }
}

async function countRuns(db: PostgresDatabase, states: string): Promise<number> {
  const row = await db.get(`SELECT COUNT(*) AS count FROM queued_runs WHERE state IN (${states})`);
  return Number(row?.count);
}

/** Exactly once: none lost, none doubled, and the log says the same. */
export async function problemsOf(db: PostgresDatabase, runs: number): Promise<string[]> {
  const count = async (what: string): Promise<number> =>
    Number((await db.get(`SELECT COUNT(*) AS count FROM ${what}`))?.count);
  const expected: readonly [what: string, count: number][] = [
    ["queued_runs", runs],
    ["queued_runs WHERE state = 'SUCCEEDED'", runs],
    ["(SELECT DISTINCT skill_run_id FROM queued_runs) AS d", runs],
    ["skill_runs WHERE status = 'SUCCEEDED'", runs],
    ["(SELECT DISTINCT idempotency_key FROM skill_runs WHERE status = 'SUCCEEDED') AS d", runs],
    ["skill_runs WHERE status = 'FAILED' AND error_code <> 'SKILL_INTERRUPTED'", 0],
    [`task_events WHERE event_type = 'SKILL_RUN' AND payload_json LIKE '%"status":"SUCCEEDED"%'`, runs],
    [`"${db.address.schema}_boss".job WHERE state IN ('created', 'retry')`, 0],
  ];
  const problems: string[] = [];
  for (const [what, wanted] of expected) {
    const found = await count(what);
    if (found !== wanted) problems.push(`${what}: ${found}, expected ${wanted}`);
  }
  const verdict = await verifyStore(db);
  if (!verdict.ok) problems.push(verdict.message);
  return problems;
}
