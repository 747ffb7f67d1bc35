import type { Database, Row } from "../store/database.ts";
import { withoutRowMarks } from "./row-marks.ts";

const BATCH = 500;

/**
 * The rows of the log in order, a batch at a time, so that memory stays flat. `seq` is text: a number that another hand
 * put there may be larger than any that Knack can hold.
 */
export async function* recordsOf(db: Database): AsyncGenerator<Row> {
  let rows: Row[];
  let last: string | null = null;
  do {
    rows = await db.all(
      `SELECT CAST(seq AS TEXT) AS seq, event_type, plan_id, task_id, run_id, actor, payload_json, created_at,
         prev_hash, hash FROM task_events ${last === null ? "" : "WHERE seq > CAST(? AS BIGINT)"}
       ORDER BY task_events.seq LIMIT ${BATCH}`,
      last === null ? [] : [last],
    );
    yield* rows;
    last = String(rows.at(-1)?.seq);
  } while (rows.length === BATCH);
}

/** A record of the log as it is shown. */
export interface LoggedEvent {
  readonly seq: number;
  readonly event_type: string;
  readonly plan_id: string | null;
  readonly task_id: string | null;
  readonly run_id: string | null;
  readonly actor: string;
  readonly payload: unknown;
  readonly created_at: string;
  readonly hash: string;
}

/** The last records, oldest first. */
export async function listEvents(db: Database, limit: number): Promise<LoggedEvent[]> {
  const rows = await db.all("SELECT * FROM task_events ORDER BY seq DESC LIMIT ?", [limit]);
  return rows.reverse().map(shown);
}

/** The records after a known one, in order, for a reader that follows the log. */
export async function eventsAfter(db: Database, seq: number, limit: number): Promise<LoggedEvent[]> {
  const rows = await db.all("SELECT * FROM task_events WHERE seq > ? ORDER BY seq LIMIT ?", [seq, limit]);
  return rows.map(shown);
}

/** The number of the last record; 0 where there is none. */
export async function lastSeq(db: Database): Promise<number> {
  const row = await db.get("SELECT MAX(seq) AS seq FROM task_events", []);
  return Number(row?.seq ?? 0);
}

export function shown(row: Row): LoggedEvent {
  const text = (value: Row[string] | undefined): string | null =>
    value === null || value === undefined ? null : String(value);
  return {
    seq: Number(row.seq),
    event_type: String(row.event_type),
    plan_id: text(row.plan_id),
    task_id: text(row.task_id),
    run_id: text(row.run_id),
    actor: String(row.actor),
    payload: withoutRowMarks(JSON.parse(String(row.payload_json)) as unknown),
    created_at: String(row.created_at),
    hash: String(row.hash),
  };
}
