import type { Database } from "../store/database.ts";
import { genesisOf } from "./chain.ts";
import { recordsOf } from "./records.ts";

/** JSON leaves these as they are; a terminal or a reader of lines may take them for an end or a command. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * The log as lines without their ends: a record each, as it is stored, and last `{"head": …}`. Whoever keeps the head
 * elsewhere can have `verifyLog` show that nothing was cut off since.
 */
export async function* exportLog(db: Database): AsyncGenerator<string> {
  // A head that a power cut could undo would later look like a cut log.
  await db.flush();
  let head: unknown = await genesisOf(db);
  for await (const row of recordsOf(db)) {
    yield lineOf({ ...row, seq: Number(row.seq) });
    head = row.hash;
  }
  yield lineOf({ head });
}

function lineOf(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
