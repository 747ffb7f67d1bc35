import type { Database } from "./database.ts";

/** How much work there is: runs in the queue by state, workers with a lease, and the records of the log. */
export interface WorkCounts {
  readonly queued: Readonly<Record<"waiting" | "running" | "failed" | "dead", number>>;
  readonly workers: number;
  readonly auditRecords: number;
}

/** `now`: the time of the database, because the leases of workers are. */
export async function workCounts(db: Database, now: Date): Promise<WorkCounts> {
  // The condition is that of the index, so that finished runs, however many, are not read.
  const rows = await db.all(
    "SELECT state, COUNT(*) AS runs FROM queued_runs WHERE state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD') GROUP BY state",
  );
  const runs = new Map(rows.map((row) => [row.state, Number(row.runs)]));
  const workers = await db.get("SELECT COUNT(*) AS workers FROM workers WHERE lease_until > ?", [
    now.toISOString(),
  ]);
  const last = await db.get("SELECT MAX(seq) AS seq FROM task_events");
  return {
    queued: {
      waiting: runs.get("WAITING") ?? 0,
      running: runs.get("RUNNING") ?? 0,
      failed: runs.get("FAILED") ?? 0,
      dead: runs.get("DEAD") ?? 0,
    },
    workers: Number(workers?.workers ?? 0),
    auditRecords: Number(last?.seq ?? 0),
  };
}
