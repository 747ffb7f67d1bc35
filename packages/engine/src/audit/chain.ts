import { hash as digest } from "node:crypto";
import { type Database, insertRow } from "../store/database.ts";
import type { NewEvent, RecordEvents, RowRef } from "../store/store.ts";
import { nameOf, ROWS, type RowMark, rowDigest } from "./covered-rows.ts";
import { redact } from "./redact.ts";

export interface AuditRecord {
  readonly seq: number;
  readonly event_type: string;
  readonly plan_id: string | null;
  readonly task_id: string | null;
  readonly run_id: string | null;
  readonly actor: string;
  readonly payload_json: string;
  readonly created_at: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The head of a project that has no store yet. */
export const NO_HEAD = digest("sha256", "knack audit log, version 1");

export function genesisFor(storeId: string): string {
  return digest("sha256", `knack audit log, version 2\n${Buffer.byteLength(storeId)}:${storeId}\n`);
}

/** The fields that a hash covers, in the order of the encoding. */
export const HASHED_FIELDS = [
  "seq",
  "event_type",
  "plan_id",
  "task_id",
  "run_id",
  "actor",
  "payload_json",
  "created_at",
  "prev_hash",
] as const;

/** Each field goes in with its length, and nothing as `-`, so that no two records have the same encoding. */
export function eventHash(record: Omit<AuditRecord, "hash">): string {
  const parts = HASHED_FIELDS.map((field) => {
    const value = record[field];
    return value === null ? "-" : `${Buffer.byteLength(String(value))}:${value}`;
  });
  return digest("sha256", `knack-event-1\n${parts.join("\n")}\n`);
}

/** Appends events in the transaction of what they record, each with the hash of the one before, and without secrets. */
export const appendEvents: RecordEvents = async (tx, events, { actor, at, rows = [] }) => {
  if (events.length === 0) {
    // Rows without a record would look as if another program had written them.
    if (rows.length > 0) throw new Error("Rows were written without an event that records them.");
    return;
  }
  let { seq, hash } = await headOf(tx);
  const marks = await rowMarks(tx, rows);
  for (const [place, event] of events.entries()) {
    // Half a surrogate pair cannot be stored as UTF-8, and the hash must be of what is stored.
    const record = {
      seq: seq + 1,
      event_type: event.type,
      plan_id: event.planId?.toWellFormed() ?? null,
      task_id: event.taskId?.toWellFormed() ?? null,
      run_id: event.runId?.toWellFormed() ?? null,
      actor: actor.toWellFormed(),
      payload_json: payloadText(event, place === 0 ? marks : []),
      created_at: at,
      prev_hash: hash,
    };
    hash = eventHash(record);
    await insertRow(tx, "task_events", { ...record, hash });
    seq = record.seq;
  }
};

/** The last record's number and hash; before the first, 0 and where the log of this store begins. */
export async function headOf(db: Database): Promise<{ readonly seq: number; readonly hash: string }> {
  const row = await db.get("SELECT seq, hash FROM task_events ORDER BY seq DESC LIMIT 1");
  return row ? { seq: Number(row.seq), hash: String(row.hash) } : { seq: 0, hash: await genesisOf(db) };
}

/** What the first record follows: it names the store, so that the log of another store does not hold here. */
export async function genesisOf(db: Database): Promise<string> {
  const row = await db.get("SELECT store_id FROM store_identity WHERE only_row = 1");
  return row ? genesisFor(String(row.store_id)) : NO_HEAD;
}

async function rowMarks(tx: Database, rows: readonly RowRef[]): Promise<RowMark[]> {
  const named = new Map(rows.map((row) => [nameOf(row.table, row.key), row]));
  const marks: RowMark[] = [];
  for (const row of named.values()) marks.push([row.table, row.key, await rowDigest(tx, row)]);
  return marks;
}

function payloadText(event: NewEvent, marks: readonly RowMark[]): string {
  // Row digests are not secret, and only this function may write them.
  const { [ROWS]: _, ...payload } = redact(event.payload) as Record<string, unknown>;
  return JSON.stringify(marks.length === 0 ? payload : { ...payload, [ROWS]: marks });
}
