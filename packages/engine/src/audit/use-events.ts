import type { Database } from "../store/database.ts";

/** A record of the log that says that a skill was searched for, loaded or run. */
export interface UseEvent {
  readonly seq: number;
  readonly type: string;
  readonly actor: string;
  readonly payload: unknown;
  readonly at: string;
}

/** The records after a known one that say what was used, in order. */
export async function useEventsAfter(db: Database, seq: number, limit: number): Promise<UseEvent[]> {
  const rows = await db.all(
    `SELECT seq, event_type, actor, payload_json, created_at FROM task_events
     WHERE seq > ? AND event_type IN ('SKILL_LOADED', 'SKILL_SEARCHED', 'SKILL_RUN') ORDER BY seq LIMIT ?`,
    [seq, limit],
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    type: String(row.event_type),
    actor: String(row.actor),
    payload: JSON.parse(String(row.payload_json)) as unknown,
    at: String(row.created_at),
  }));
}

/**
 * The number of the last record before a moment. Records are written in order, so that this takes about twenty look-ups by
 * the primary key, however long the log is.
 */
export async function lastSeqBefore(db: Database, moment: string): Promise<number> {
  const last = await db.get("SELECT MAX(seq) AS seq FROM task_events", []);
  let [low, high] = [0, Number(last?.seq ?? 0)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = await db.get("SELECT created_at FROM task_events WHERE seq >= ? ORDER BY seq LIMIT 1", [
      middle,
    ]);
    if (row && String(row.created_at) < moment) low = middle;
    else high = middle - 1;
  }
  return low;
}
