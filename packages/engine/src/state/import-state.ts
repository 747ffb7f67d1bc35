import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findState, type StatePlace, type TrustPlace, userState } from "@knack/core/internal/engine";
import { appendEvents, headOf } from "../audit/chain.ts";
import { verifyStore } from "../audit/verify-store.ts";
import { revokeAllAccessTokens } from "../store/access/access-tokens.ts";
import { copyStore } from "../store/place/copy-store.ts";
import { fileOf } from "../store/place/make-store.ts";
import { copyDatabase, openCopy } from "../store/sqlite/open-copy.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import { monotonic, type Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";

export interface Imported {
  readonly file: string;
  /** Where the database is now that was there before. */
  readonly kept: readonly string[];
  readonly records: number;
  readonly head: string;
}

interface ImportQuestion extends TrustPlace {
  readonly projectRoot: string;
  readonly url: string;
  /** Takes rows over that were recorded before the log covered them. */
  readonly acceptUnchecked?: boolean;
}

/**
 * Imports a database that came with a trusted project: a private copy is checked (schema, structure, the whole log), then
 * its records are written into a new database of this user. Its access tokens are revoked: whoever made it knows them. The
 * previous one is kept under another name.
 */
export async function importState(question: ImportQuestion): Promise<Imported | undefined> {
  const found = findState({ ...question, trusted: true });
  const file = found.foreign?.path ?? (await otherInPlace(found));
  if (file === undefined) return undefined;
  const own = userState(question);
  const folder = join(dirname(fileOf(own)), `import-${randomUUID()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const copy = join(folder, "state.db");
    copyDatabase(question.projectRoot, file, copy);
    const { count, head } = await check(copy, file, question.acceptUnchecked ?? false);
    const mark = new Date()
      .toISOString()
      .replaceAll(/[^0-9]/g, "")
      .slice(0, 14);
    const kept = [keep(file, mark), ...(own.exists ? [keep(fileOf(own), mark)] : [])];
    const to: StatePlace = {
      url: `sqlite:${file}`,
      base: question.projectRoot,
      isPrivate: true,
      exists: false,
      isToRemember: true,
    };
    await copyStore(copy, to, question);
    return { file, kept, records: count, head };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file of this user's own database, where another one was put in its place. */
async function otherInPlace(place: StatePlace): Promise<string | undefined> {
  if (!place.exists || place.storeId === undefined) return undefined;
  const file = fileOf(place);
  const db = await openCopy(place.base, file);
  try {
    const row = await db.get("SELECT store_id FROM store_identity");
    return row?.store_id === place.storeId ? undefined : file;
  } finally {
    await db.close();
  }
}

async function check(
  copy: string,
  file: string,
  acceptUnchecked: boolean,
): Promise<{ readonly count: number; readonly head: string }> {
  const db = await openSqlite(copy).catch((error: unknown) => {
    throw error instanceof StoreError
      ? new StoreError(error.code, error.message.replaceAll(copy, file), { cause: error })
      : error;
  });
  try {
    // Also finds pages that are used twice, with which a look at a table might never end.
    const { integrity_check: structure } = (await db.get("PRAGMA integrity_check(1)")) ?? {};
    if (structure !== "ok")
      throw new StoreError(
        "CORRUPT",
        `${file}: the database is damaged (${String(structure).slice(0, 200)}) and was not imported.`,
      );
    const verdict = await verifyStore(db);
    if (!verdict.ok)
      throw new StoreError("FOREIGN", `${file} was not imported: ${verdict.message} Move the file away.`);
    if (verdict.unchecked > 0 && !acceptUnchecked)
      throw new StoreError(
        "FOREIGN",
        `${file} was not imported: ${verdict.unchecked} rows are too old to be checked against the log, so anybody could have written them. Look at them, then run "knack audit import --yes".`,
      );
    const store: Store = { db, actor: "import", now: () => new Date(), monotonic, record: appendEvents };
    if ((await revokeAllAccessTokens(store)) === 0) return verdict;
    const { seq: count, hash: head } = await headOf(db);
    return { count, head };
  } finally {
    await db.close();
  }
}

/** Puts a database aside with what belongs to it. */
function keep(file: string, mark: string): string {
  const aside = `${file}.before-${mark}`;
  for (const end of ["", "-wal", "-shm"]) {
    try {
      renameSync(`${file}${end}`, `${aside}${end}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  return aside;
}
