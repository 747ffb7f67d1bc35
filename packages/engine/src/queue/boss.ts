import { hash, randomUUID } from "node:crypto";
import { type Db, PgBoss } from "pg-boss";
import type { Database } from "../store/database.ts";
import { TransactionHandle } from "../store/line.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { retryLost } from "../store/postgres/postgres-errors.ts";
import { createSchema } from "../store/postgres/postgres-migrate.ts";
import { PostgresStatements } from "../store/postgres/postgres-transaction.ts";
import { bossPriority, type QueuedRun } from "./queued-run.ts";

/** pg-boss takes names of up to 50 bytes. */
const MAX_SCHEMA = 50;
/** A restart or a failover takes some seconds. */
const PATIENCE_MS = 30_000;
const HOUR = 3600;
/** pg-boss takes no shorter heartbeat. */
const MIN_HEARTBEAT_SECONDS = 10;

/** A run is tried once more so many times; then it is dead. */
export const RETRY_LIMIT = 2;

/** Every lane is a queue of pg-boss with these settings: it retries, waits in between, and notices workers that died. */
const LANE = {
  retryLimit: RETRY_LIMIT,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 24 * HOUR - 1,
  retentionSeconds: 3650 * 24 * HOUR,
  deleteAfterSeconds: 24 * HOUR,
} as const;

/** What Knack reads of a job. Not pg-boss's own type, which does not compile in a project that checks its libraries. */
interface TakenJob {
  readonly id: string;
  readonly data: { readonly queue_id: string };
  readonly retryCount: number;
}

/** The delivery of queued runs: pg-boss in a schema of its own, over the connections of the store. */
export class Boss {
  readonly #boss: PgBoss;
  readonly #lanes = new Map<string, Promise<void>>();
  /** Its table of jobs, for queries that join it. */
  readonly jobs: string;
  readonly #heartbeatSeconds: number;

  private constructor(boss: PgBoss, schema: string, leaseMs: number) {
    this.#boss = boss;
    this.jobs = `"${schema}".job`;
    this.#heartbeatSeconds = Math.max(MIN_HEARTBEAT_SECONDS, Math.ceil(leaseMs / 1000));
  }

  /** `supervise`: also notices dead workers, and removes old jobs. Processes that start at once create the tables once. */
  static async open(
    { pool, address }: PostgresDatabase,
    { leaseMs, supervise = false }: { readonly leaseMs: number; readonly supervise?: boolean },
  ): Promise<Boss> {
    // Each statement of pg-boss may be repeated: it is settled by ids, or does nothing the second time.
    const db: Db = { executeSql: (text, values) => retryLost(PATIENCE_MS, () => pool.query(text, values)) };
    const schema = bossSchema(address.schema);
    // Not by pg-boss: two processes that start together would both try to create it, and one would fail.
    await retryLost(PATIENCE_MS, () => createSchema(pool, schema));
    const boss = new PgBoss({
      db,
      schema,
      createSchema: false,
      supervise,
      schedule: false,
      reindex: false,
      monitorVacuum: false,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: HOUR / 6,
    });
    // Its own timers meet a database that is away; the next turn does what this one could not.
    boss.on("error", () => undefined);
    await boss.start();
    return new Boss(boss, schema, leaseMs);
  }

  /** Creates a lane once; must be called before a transaction that sends to it. */
  ready(lane: string): Promise<void> {
    const ready = this.#lanes.get(lane) ?? this.#open(lane);
    this.#lanes.set(lane, ready);
    return ready;
  }

  /** Once a lane, also if twenty runs want it together: to create it makes pg-boss forget what it knows of the lane. */
  async #open(lane: string): Promise<void> {
    try {
      await this.#boss.createQueue(lane, LANE);
      // pg-boss reads a lane's settings at its first use and keeps them. Inside a transaction that would need a second
      // connection, and transactions that all wait for one wait for ever.
      await this.#boss.findJobs(lane, { id: randomUUID() });
    } catch (error) {
      this.#lanes.delete(lane);
      throw error;
    }
  }

  async send(
    tx: Database,
    { id, jobId, lane, priority, turn }: Pick<QueuedRun, "id" | "jobId" | "lane" | "priority" | "turn">,
  ): Promise<void> {
    const job = {
      id: jobId,
      data: { queue_id: id },
      priority: bossPriority({ priority, turn }),
      heartbeatSeconds: this.#heartbeatSeconds,
    };
    await this.#boss.insert(lane, [job], { db: inside(tx) });
  }

  /** Takes the next jobs; they are this transaction's if it commits. */
  async take(tx: Database, lane: string, count: number): Promise<readonly TakenJob[]> {
    return this.#boss.fetch(lane, { batchSize: count, db: inside(tx) });
  }

  /** Says that a worker lives and has these runs; returns the jobs of those that are its own no more. */
  async touch(runs: readonly QueuedRun[]): Promise<ReadonlySet<string>> {
    const lost = new Set(runs.map(({ jobId }) => jobId));
    for (const [lane, some] of Map.groupBy(runs, (run) => run.lane)) {
      const touched = await this.#boss.touch(lane, some.map(attemptOf));
      const { settled = [] } = touched as { readonly settled?: readonly string[] };
      for (const id of settled) lost.delete(id);
    }
    return lost;
  }

  /** This try failed: pg-boss says when the next is, or that there is none. */
  async fail(tx: Database, run: QueuedRun): Promise<void> {
    await this.#boss.fail(run.lane, [attemptOf(run)], null, { db: inside(tx) });
  }

  /** Nobody has to run it any more. */
  async complete(tx: Database, { lane, jobId }: QueuedRun): Promise<void> {
    await this.#boss.complete(lane, jobId, null, { db: inside(tx), includeQueued: true });
  }

  async cancel(tx: Database, { lane, jobId }: QueuedRun): Promise<void> {
    await this.#boss.cancel(lane, jobId, { db: inside(tx) });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }
}

/** A job that was retried since is not touched by who had it before. */
function attemptOf({ jobId, attempts }: QueuedRun): { readonly id: string; readonly retryCount: number } {
  return { id: jobId, retryCount: attempts };
}

function inside(tx: Database): Db {
  const statements = tx instanceof TransactionHandle ? tx.use() : undefined;
  if (statements instanceof PostgresStatements) return statements;
  throw new Error("pg-boss needs a transaction of PostgreSQL.");
}

function bossSchema(schema: string): string {
  const name = `${schema}_boss`;
  return name.length <= MAX_SCHEMA ? name : `k${hash("sha256", schema).slice(0, 40)}_boss`;
}
