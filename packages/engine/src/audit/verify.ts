import type { Database, Row } from "../store/database.ts";
import { genesisOf } from "./chain.ts";
import { type AuditRecord, eventHash, GENESIS } from "./event-hash.ts";
import { recordsOf } from "./records.ts";

type AuditFault =
  | "missing"
  | "edited"
  | "hash edited"
  | "link edited"
  | "moved"
  | "rewritten"
  | "cut"
  | "foreign";

/** `head` is the hash of the last record: kept elsewhere, it shows later that the end was not cut off. */
export type Verification =
  | {
      readonly ok: true;
      readonly count: number;
      readonly head: string;
      /** 1: the log began before logs named their store, so it could be another store's. */
      readonly version: 1 | 2;
    }
  | {
      readonly ok: false;
      /** The records before it hold. */
      readonly count: number;
      readonly seq: number;
      readonly fault: AuditFault;
      readonly message: string;
    };

/**
 * Reads the whole log, a batch at a time, and finds the first record that does not hold. `expectedHead`: a head from an
 * earlier export, which must still be in the chain. `see` gets each record that holds.
 */
export async function verifyLog(
  db: Database,
  expectedHead?: string,
  see: (record: AuditRecord) => void = () => undefined,
): Promise<Verification> {
  const genesis = await genesisOf(db);
  const first = await db.get("SELECT prev_hash FROM task_events ORDER BY seq LIMIT 1");
  const begin = first?.prev_hash === GENESIS ? GENESIS : genesis;
  let last: Pick<AuditRecord, "seq" | "hash"> = { seq: 0, hash: begin };
  let seen = expectedHead === undefined || expectedHead === begin || expectedHead === GENESIS;
  let doubtful: AuditRecord | undefined;
  for await (const row of recordsOf(db)) {
    // The next record still has the original hash of this one: that shows which field was changed.
    if (doubtful) return failure(last.seq, doubtful.seq, editedOrHash(doubtful, row));
    const record = asRecord(row);
    const fault = record ? faultOf(record, last) : "edited";
    if (fault === "edited" && record) {
      doubtful = record;
      continue;
    }
    if (fault === "missing") return failure(last.seq, last.seq + 1, "missing");
    if (fault === "rewritten") return failure(last.seq - 1, last.seq, "rewritten");
    if (fault || !record) return failure(last.seq, last.seq + 1, fault ?? "edited");
    if (record.hash === expectedHead) seen = true;
    see(record);
    last = record;
  }
  if (doubtful) return failure(last.seq, doubtful.seq, "edited");
  if (!seen) return failure(last.seq, last.seq + 1, "cut");
  return { ok: true, count: last.seq, head: last.hash, version: begin === GENESIS ? 1 : 2 };
}

function faultOf(record: AuditRecord, last: Pick<AuditRecord, "seq" | "hash">): AuditFault | null {
  if (record.seq !== last.seq + 1) return "missing";
  const agrees = eventHash(record) === record.hash;
  if (record.prev_hash === last.hash) return agrees ? null : "edited";
  if (eventHash({ ...record, prev_hash: last.hash }) === record.hash) return "link edited";
  if (!agrees) return "moved";
  // It agrees with itself and follows another record than the one before it, which agrees with itself too.
  return last.seq === 0 ? "foreign" : "rewritten";
}

function editedOrHash(doubtful: AuditRecord, next: Row): AuditFault {
  return next.prev_hash === eventHash(doubtful) ? "hash edited" : "edited";
}

const MESSAGES: Readonly<Record<AuditFault, (seq: number) => string>> = {
  missing: (seq) => `Record ${seq} is missing.`,
  edited: (seq) => `Record ${seq} was changed: its content does not match its hash.`,
  "hash edited": (seq) => `The hash of record ${seq} was changed: the next record still has the original.`,
  "link edited": (seq) => `In record ${seq} the hash of the previous record was changed.`,
  moved: (seq) =>
    `Record ${seq} was moved or inserted: it matches neither its hash nor the record before it.`,
  rewritten: (seq) => `Record ${seq} was rewritten with a new hash: the next record does not follow it.`,
  foreign: () =>
    "The log does not belong to this store: it was copied from another project or store, or rewritten from the start.",
  cut: (seq) =>
    `The log does not contain the given head: records from ${seq} on were removed, or the whole log was rewritten.`,
};

function failure(count: number, seq: number, fault: AuditFault): Verification {
  return { ok: false, count, seq, fault, message: MESSAGES[fault](seq) };
}

/** Knack did not write a row whose fields have other types. */
function asRecord(row: Row): AuditRecord | null {
  const text = (name: string): boolean => typeof row[name] === "string";
  const optional = (name: string): boolean => row[name] === null || text(name);
  const whole =
    ["event_type", "actor", "payload_json", "created_at", "prev_hash", "hash"].every(text) &&
    ["plan_id", "task_id", "run_id"].every(optional);
  return whole ? ({ ...row, seq: Number(row.seq) } as unknown as AuditRecord) : null;
}
