import type { Database } from "../store/database.ts";
import type { NewEvent, RecordEvents } from "../store/store.ts";
import { eventHash, GENESIS } from "./event-hash.ts";
import { redact } from "./redact.ts";

/**
 * Appends events to the log, each with the hash of the one before. It must be given the transaction of what they record:
 * then either both are there or neither. Whatever looks like a secret is taken out here, where nobody can forget it.
 */
export const appendEvents: RecordEvents = async (tx, events, { actor, at }) => {
  if (events.length === 0) return;
  const head = await headOf(tx);
  let { seq, hash } = head;
  for (const event of events) {
    const record = {
      seq: seq + 1,
      event_type: event.type,
      plan_id: storable(event.planId),
      task_id: storable(event.taskId),
      run_id: storable(event.runId),
      actor: actor.toWellFormed(),
      payload_json: payloadOf(event),
      created_at: at,
      prev_hash: hash,
    };
    hash = eventHash(record);
    await tx.run(
      `INSERT INTO task_events (seq, event_type, plan_id, task_id, run_id, actor, payload_json, created_at, prev_hash,
         hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [...Object.values(record), hash],
    );
    seq = record.seq;
  }
};

/** The last record's number and hash; before the first, 0 and the fixed beginning. */
export async function headOf(db: Database): Promise<{ readonly seq: number; readonly hash: string }> {
  const row = await db.get("SELECT seq, hash FROM task_events ORDER BY seq DESC LIMIT 1");
  return row ? { seq: Number(row.seq), hash: String(row.hash) } : { seq: 0, hash: GENESIS };
}

/** Half a surrogate pair cannot be stored as UTF-8, and the hash must be of what is stored. */
function storable(text: string | null): string | null {
  return text === null ? null : text.toWellFormed();
}

function payloadOf(event: NewEvent): string {
  return JSON.stringify(redact(event.payload));
}
