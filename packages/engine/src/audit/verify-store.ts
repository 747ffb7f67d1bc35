import { batchesOf } from "../store/batches.ts";
import type { Database, Row } from "../store/database.ts";
import { MIGRATIONS } from "../store/schema.ts";
import type { RowRef } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import { COVERED, digestOfRow, nameOf } from "./covered-rows.ts";
import type { AuditRecord } from "./event-hash.ts";
import { type RowMark, rowMarksOf } from "./row-marks.ts";
import { type Verification, verifyLog } from "./verify.ts";

type TableFault = "row changed" | "row missing" | "row unknown" | "row unreadable" | "other store";

export type StoreVerification =
  | (Extract<Verification, { ok: true }> & {
      /** Rows that agree with the log. */
      readonly rows: number;
      /** Rows from before records had digests: nothing can be said of them. */
      readonly unchecked: number;
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

export interface VerifyOptions {
  /** A head from an earlier export, which must still be in the chain. */
  readonly head?: string | undefined;
  /** The store that this project is known to have, where that is known. */
  readonly storeId?: string | undefined;
}

interface Expected {
  readonly seq: number;
  readonly sha256: string;
  readonly table: string;
  readonly key: readonly string[];
}

/**
 * Checks the log, and then every table against it: the log is replayed into the digests that all rows must have now. Returns
 * the first mismatch.
 */
export async function verifyStore(db: Database, options: VerifyOptions = {}): Promise<StoreVerification> {
  const expected = new Map<string, Expected>();
  const log = await verifyLog(db, options.head, (record) => replay(expected, record));
  if (!log.ok) return log;
  const { count } = log;
  const identity = await db.get("SELECT store_id FROM store_identity");
  if (options.storeId !== undefined && identity?.store_id !== options.storeId)
    return {
      ...{ ok: false, count, seq: null, fault: "other store", table: "store_identity", row: "1" },
      message:
        "This is not the database that this project had: it was copied from another project or replaced.",
    };
  const wrongSchema = await schemaFault(db, count);
  if (wrongSchema) return wrongSchema;
  const totals = { rows: 0, unchecked: 0, running: 0 };
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
        else if (log.version === 1) totals.unchecked++;
        else return fault(count, null, "row unknown", table, key);
      }
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "CORRUPT") throw error;
      return { ...fault(count, null, "row unreadable", table, ["?"]), message: error.message };
    }
  }
  for (const { seq, table, key } of expected.values()) return fault(count, seq, "row missing", table, key);
  return { ...log, ...totals };
}

function replay(expected: Map<string, Expected>, { seq, payload_json }: AuditRecord): void {
  for (const [table, key, sha256] of marksIn(payload_json)) {
    const name = nameOf(table, key);
    if (sha256 === null) expected.delete(name);
    else expected.set(name, { seq, sha256, table, key });
  }
}

function marksIn(payloadJson: string): readonly RowMark[] {
  try {
    return rowMarksOf(JSON.parse(payloadJson)) ?? [];
  } catch {
    // The hash is right, so Knack wrote it: an old record without JSON covers no rows.
    return [];
  }
}

async function* rowsOf(db: Database, table: RowRef["table"]): AsyncGenerator<Row> {
  for await (const batch of batchesOf(db, { name: table, ...COVERED[table] })) yield* batch;
}

async function schemaFault(db: Database, count: number): Promise<StoreVerification | undefined> {
  const rows = await db.all("SELECT version, since FROM schema_migrations ORDER BY version");
  for (const [place, migration] of MIGRATIONS.entries()) {
    const row = rows[place];
    if (!row) return fault(count, null, "row missing", "schema_migrations", [String(place + 1)]);
    if (row.version !== place + 1 || row.since !== migration.since)
      return fault(count, null, "row changed", "schema_migrations", [String(row.version)]);
  }
  const more = rows[MIGRATIONS.length];
  return more && fault(count, null, "row unknown", "schema_migrations", [String(more.version)]);
}

const WORDS: Readonly<
  Record<Exclude<TableFault, "other store">, (row: string, seq: number | null) => string>
> = {
  "row changed": (row, seq) =>
    `${row} was changed: it does not match ${seq === null ? "what Knack wrote" : `record ${seq}`}.`,
  "row missing": (row, seq) => `${row} was removed${seq === null ? "" : `: record ${seq} lists it`}.`,
  "row unknown": (row) => `${row} was not written by Knack: no record lists it.`,
  "row unreadable": (row) => `${row} cannot be read.`,
};

function fault(
  count: number,
  seq: number | null,
  kind: Exclude<TableFault, "other store">,
  table: string,
  key: readonly string[],
): Extract<StoreVerification, { table: string }> {
  const row = key.join("/");
  return { ok: false, count, seq, fault: kind, table, row, message: WORDS[kind](`${table} ${row}`, seq) };
}
