import { KnackError, pluralize } from "@knack/core/text";
import { appendEvents, HASHED_FIELDS } from "../audit/chain.ts";
import { COVERED } from "../audit/covered-rows.ts";
import { verifyStore } from "../audit/verify-store.ts";
import { batchesOf, type Database, type PagedTable, type Parameter } from "../store/database.ts";
import { openStore } from "../store/open-store.ts";
import { shownStore } from "../store/postgres/postgres-url.ts";
import { interruptExpired } from "../store/runs/claim.ts";

/** Everything that a project's history consists of. The queue and the workers belong to a server, not to the history. */
const TABLES: readonly PagedTable[] = [
  ...Object.entries(COVERED).map(([name, covered]) => ({ name, ...covered })),
  { name: "task_events", key: ["seq"], columns: [...HASHED_FIELDS, "hash"] },
];

export interface MigratedStore {
  readonly from: string;
  readonly to: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly records: number;
  readonly head: string;
}

export interface MigrateProgress {
  readonly table: string;
  readonly rows: number;
}

/** Copies a project's whole history to an empty database, or nothing, and verifies it. Nobody can write meanwhile. */
export async function migrateStore(
  from: string,
  to: string,
  onProgress?: (progress: MigrateProgress) => void,
): Promise<MigratedStore> {
  const by = { actor: "migrate", record: appendEvents };
  const source = await openStore(from, by);
  try {
    await interruptExpired(source);
    const target = await openStore(to, by);
    try {
      return await source.db.transaction(async (reader) => {
        const before = await checked(reader, from);
        const running = await reader.get("SELECT count(*) AS n FROM skill_runs WHERE status = 'RUNNING'");
        const count = Number(running?.n);
        if (count > 0)
          throw new KnackError(
            "BUSY",
            `${shownStore(from)}: ${pluralize(count, "run")} in progress. Wait for the end, then try again.`,
          );
        const rows = await target.db.transaction(async (writer) => {
          await refuseFilled(writer, to);
          const id = (await reader.get("SELECT store_id FROM store_identity"))?.store_id;
          await writer.run("UPDATE store_identity SET store_id = ?", [String(id)]);
          const counts: Record<string, number> = {};
          for (const table of TABLES) counts[table.name] = await copyTable(reader, writer, table, onProgress);
          if ((await checked(writer, to)).head === before.head) return counts;
          throw new KnackError(
            "CORRUPT",
            `${shownStore(to)}: the copy of the log differs. Nothing was changed.`,
          );
        });
        return { from: shownStore(from), to: shownStore(to), rows, records: before.count, head: before.head };
      });
    } finally {
      await target.db.close();
    }
  } finally {
    await source.db.close();
  }
}

async function checked(db: Database, url: string) {
  const verdict = await verifyStore(db);
  if (verdict.ok) return verdict;
  throw new KnackError(
    "CORRUPT",
    `${shownStore(url)}: the history is not valid, so it was not moved. ${verdict.message} "knack audit verify" has the details.`,
  );
}

async function refuseFilled(db: Database, url: string): Promise<void> {
  for (const { name } of TABLES) {
    if (await db.get(`SELECT 1 AS filled FROM ${name} LIMIT 1`))
      throw new KnackError(
        "FOREIGN",
        `${shownStore(url)} already has a history (${name}); choose an empty database or another schema: ?schema=name.`,
      );
  }
}

async function copyTable(
  reader: Database,
  writer: Database,
  table: PagedTable,
  onProgress: ((progress: MigrateProgress) => void) | undefined,
): Promise<number> {
  const { name, columns } = table;
  let rows = 0;
  for await (const batch of batchesOf(reader, table)) {
    const row = `(${columns.map(() => "?").join(", ")})`;
    await writer.run(
      `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${batch.map(() => row).join(", ")}`,
      batch.flatMap((one) => columns.map((column) => one[column] as Parameter)),
    );
    rows += batch.length;
    onProgress?.({ table: name, rows });
  }
  return rows;
}
