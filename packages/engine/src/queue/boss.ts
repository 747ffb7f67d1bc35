import { hash } from "node:crypto";
import { type Db, PgBoss } from "pg-boss";
import type { Database } from "../store/database.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { retryLost } from "../store/postgres/postgres-errors.ts";
import { createSchema } from "../store/postgres/postgres-migrate.ts";
import { PostgresTransaction } from "../store/postgres/postgres-transaction.ts";

/** pg-boss takes names of up to 50 bytes. */
const MAX_SCHEMA = 50;
/** A restart or a failover takes some seconds. */
const PATIENCE_MS = 30_000;
const HOUR = 3600;

/**
 * Every lane is a queue of pg-boss with these settings. How often a run is tried is counted in `queued_runs`, and a worker
 * that died is noticed by its lease, so pg-boss itself never fails a job; a job that was recorded but not completed comes
 * back after a day and is then completed.
 */
const LANE = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  expireInSeconds: 24 * HOUR - 1,
  retentionSeconds: 3650 * 24 * HOUR,
  deleteAfterSeconds: HOUR,
} as const;

/** The delivery of queued runs: pg-boss in a schema of its own, over the connections of the store. */
export class Boss {
  readonly #boss: PgBoss;
  readonly #lanes = new Set<string>();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** `supervise`: also removes old jobs now and then. Processes that start at once create the tables once. */
  static async open({ pool, address }: PostgresDatabase, supervise: boolean): Promise<Boss> {
    // Each statement of pg-boss may be repeated: it is settled by ids, or does nothing the second time.
    const db: Db = {
      executeSql: (text, values) => retryLost(PATIENCE_MS, () => pool.query(text, values)),
    };
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
      maintenanceIntervalSeconds: HOUR / 6,
    });
    // Its own timers meet a database that is away; the next turn does what this one could not.
    boss.on("error", () => undefined);
    await boss.start();
    return new Boss(boss);
  }

  /** Creates a lane once; must be called before a transaction that sends to it. */
  async ready(lane: string): Promise<void> {
    if (this.#lanes.has(lane)) return;
    await this.#boss.createQueue(lane, LANE);
    // Read now: inside a transaction it would need a second connection.
    await this.#boss.getQueue(lane);
    this.#lanes.add(lane);
  }

  /** `afterSeconds`: not before. */
  async send(tx: Database, lane: string, { jobId, queueId, priority, afterSeconds }: NewJob): Promise<void> {
    const delay = afterSeconds ? { startAfter: afterSeconds } : {};
    const job = { id: jobId, data: { queue_id: queueId }, priority, ...delay };
    await this.#boss.insert(lane, [job], { db: inside(tx) });
  }

  /** Takes the next jobs; they are this transaction's if it commits. */
  async take(tx: Database, lane: string, count: number): Promise<readonly TakenJob[]> {
    const jobs = await this.#boss.fetch<{ queue_id: string }>(lane, { batchSize: count, db: inside(tx) });
    return jobs.map(({ id, retryCount, data }) => ({ jobId: id, retryCount, queueId: data.queue_id }));
  }

  /** Puts a job that was taken back, to be taken again at once; `false` if there is no such job. */
  async giveBack(tx: Database, lane: string, jobId: string): Promise<boolean> {
    const { settled } = (await this.#boss.fail(lane, jobId, null, { db: inside(tx) })) as Settled;
    return settled?.includes(jobId) === true;
  }

  async remove(tx: Database, lane: string, jobId: string): Promise<void> {
    await this.#boss.cancel(lane, jobId, { db: inside(tx) });
  }

  async complete(lane: string, { jobId, retryCount }: TakenJob): Promise<void> {
    await this.#boss.complete(lane, [{ id: jobId, retryCount }]);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }
}

interface Settled {
  readonly settled?: readonly string[];
}

interface NewJob {
  readonly jobId: string;
  readonly queueId: string;
  readonly priority: number;
  readonly afterSeconds?: number;
}

export interface TakenJob {
  readonly jobId: string;
  readonly queueId: string;
  /** How often it was taken before. */
  readonly retryCount: number;
}

function inside(tx: Database): Db {
  if (!(tx instanceof PostgresTransaction)) throw new Error("pg-boss needs a transaction of PostgreSQL.");
  return tx;
}

function bossSchema(schema: string): string {
  const name = `${schema}_boss`;
  return name.length <= MAX_SCHEMA ? name : `k${hash("sha256", schema).slice(0, 40)}_boss`;
}
