import { isStoreError } from "@knack/core/text";
import { batchesOf, type Database, type Row } from "../store/database.ts";
import type { RowRef } from "../store/store.ts";
import { type AuditRecord, eventHash, genesisOf, NO_HEAD } from "./chain.ts";
import { COVERED, digestOfRow, nameOf, payloadOf, rowMarksOf } from "./covered-rows.ts";
import { recordsOf } from "./events.ts";

type AuditFault = keyof typeof MESSAGES;

/** `head` is the hash of the last record: kept elsewhere, it shows later that the end was not cut off. */
export type Verification =
  | { readonly ok: true; readonly count: number; readonly head: string }
  | {
      readonly ok: false;
      /** The records before it hold. */
      readonly count: number;
      readonly seq: number;
      readonly fault: AuditFault;
      readonly message: string;
    };

/** Finds the first record that does not hold. `expectedHead`, of an earlier export, must be in the chain; `see` gets each. */
export async function verifyLog(
  db: Database,
  expectedHead?: string,
  see: (record: AuditRecord) => void = () => undefined,
): Promise<Verification> {
  const begin = await genesisOf(db);
  let last: Pick<AuditRecord, "seq" | "hash"> = { seq: 0, hash: begin };
  let seen = expectedHead === undefined || expectedHead === begin || expectedHead === NO_HEAD;
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
  return { ok: true, count: last.seq, head: last.hash };
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

const MESSAGES = {
  missing: (seq: number) => `Record ${seq} is missing.`,
  edited: (seq: number) => `Record ${seq} was changed: its content does not match its hash.`,
  "hash edited": (seq: number) =>
    `The hash of record ${seq} was changed: the next record still has the original.`,
  "link edited": (seq: number) => `In record ${seq} the hash of the previous record was changed.`,
  moved: (seq: number) =>
    `Record ${seq} was moved or inserted: it matches neither its hash nor the record before it.`,
  rewritten: (seq: number) =>
    `Record ${seq} was rewritten with a new hash: the next record does not follow it.`,
  foreign: () =>
    "The log does not belong to this store: it was copied from another project or store, or rewritten from the start.",
  cut: (seq: number) =>
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

type TableFault = keyof typeof WORDS;

export type StoreVerification =
  | (Extract<Verification, { ok: true }> & {
      readonly rows: number;
      /** Rows of runs that have not ended: their record is written at their end. */
      readonly running: number;
    })
  | Extract<Verification, { ok: false }>
  | {
      readonly ok: false;
      readonly count: number;
      /** The record that the row does not agree with; `null` where there is none. */
      readonly seq: number | null;
      readonly fault: TableFault;
      readonly table: string;
      readonly row: string;
      readonly message: string;
    };

interface Expected {
  readonly seq: number;
  readonly sha256: string;
  readonly table: string;
  readonly key: readonly string[];
}

/** Checks the log, and replays it into the digests that all rows must have now. Returns the first mismatch. */
export async function verifyStore(db: Database, head?: string): Promise<StoreVerification> {
  const expected = new Map<string, Expected>();
  const log = await verifyLog(db, head, (record) => replay(expected, record));
  if (!log.ok) return log;
  const { count } = log;
  const totals = { rows: 0, running: 0 };
  for (const table of Object.keys(COVERED) as RowRef["table"][]) {
    try {
      for await (const row of rowsOf(db, table)) {
        const key = COVERED[table].key.map((name) => String(row[name]));
        const name = nameOf(table, key);
        const mark = expected.get(name);
        expected.delete(name);
        if (mark?.sha256 === digestOfRow(table, row)) totals.rows++;
        else if (mark) return fault(count, mark.seq, "row changed", table, key);
        else if (table === "skill_runs" && row.status === "RUNNING") totals.running++;
        else return fault(count, null, "row unknown", table, key);
      }
    } catch (error) {
      if (!isStoreError(error) || error.code !== "CORRUPT") throw error;
      return { ...fault(count, null, "row unreadable", table, ["?"]), message: error.message };
    }
  }
  for (const { seq, table, key } of expected.values()) return fault(count, seq, "row missing", table, key);
  return { ...log, ...totals };
}

function replay(expected: Map<string, Expected>, { seq, payload_json }: AuditRecord): void {
  for (const [table, key, sha256] of rowMarksOf(payloadOf(payload_json))) {
    const name = nameOf(table, key);
    if (sha256 === null) expected.delete(name);
    else expected.set(name, { seq, sha256, table, key });
  }
}

async function* rowsOf(db: Database, table: RowRef["table"]): AsyncGenerator<Row> {
  for await (const batch of batchesOf(db, { name: table, ...COVERED[table] })) yield* batch;
}

const WORDS = {
  "row changed": (row: string, seq: number | null) => `${row} was changed: it does not match record ${seq}.`,
  "row missing": (row: string, seq: number | null) => `${row} was removed: record ${seq} lists it.`,
  "row unknown": (row: string) => `${row} was not written by Knack: no record lists it.`,
  "row unreadable": (row: string) => `${row} cannot be read.`,
};

function fault(
  count: number,
  seq: number | null,
  kind: TableFault,
  table: string,
  key: readonly string[],
): Extract<StoreVerification, { table: string }> {
  const row = key.join("/");
  return { ok: false, count, seq, fault: kind, table, row, message: WORDS[kind](`${table} ${row}`, seq) };
}
