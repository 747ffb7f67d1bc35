import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  findState,
  lookAtOwn,
  openOwn,
  type StatePlace,
  type TrustPlace,
  userState,
} from "@knack/core/internal/engine";
import { verifyLog } from "./audit/verify.ts";
import { copyStore } from "./store/place/copy-store.ts";
import { fileOf } from "./store/place/make-store.ts";
import { openSqlite } from "./store/sqlite.ts";
import { StoreError } from "./store/store-error.ts";

const MAX_BYTES = 1024 * 1024 * 1024;
const CHUNK = 1024 * 1024;

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
}

/**
 * Takes over a database that came with a trusted project: a private copy is checked (schema, structure, the whole log), then
 * its records are written anew into a database of this user's own. What was there before is kept under another name.
 */
export async function importState(question: ImportQuestion): Promise<Imported | undefined> {
  const found = findState({ ...question, trusted: true });
  if (!found.foreign) return undefined;
  const file = found.foreign.path;
  const own = userState(question);
  const folder = join(dirname(fileOf(own)), `import-${randomUUID()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const copy = join(folder, "state.db");
    copyForeign(question.projectRoot, file, copy);
    const { count, head } = await check(copy, file);
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
    copyStore(copy, to, question);
    return { file, kept, records: count, head };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Never opened where it is: a journal or log beside it could lead elsewhere. */
function copyForeign(projectRoot: string, file: string, copy: string): void {
  const journal = lookAtOwn(projectRoot, `${file}-journal`);
  if (journal.kind !== "absent")
    throw new StoreError(
      "FOREIGN",
      `${file}-journal shows that a change of this database was never finished; it cannot be taken over.`,
    );
  copyBytes(projectRoot, file, copy);
  if (lookAtOwn(projectRoot, `${file}-wal`).kind !== "absent")
    copyBytes(projectRoot, `${file}-wal`, `${copy}-wal`);
}

function copyBytes(base: string, from: string, to: string): void {
  const source = openOwn(base, from, constants.O_RDONLY);
  try {
    const { size } = fstatSync(source);
    if (size > MAX_BYTES)
      throw new StoreError("FOREIGN", `${from} has ${size} bytes; at most ${MAX_BYTES} can be taken over.`);
    const target = openSync(to, "wx", 0o600);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK);
      for (let at = 0, read = 0; at < size; at += read) {
        read = readSync(source, buffer, 0, Math.min(CHUNK, size - at), at);
        if (read === 0) break;
        writeSync(target, buffer, 0, read);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

async function check(copy: string, file: string): Promise<{ readonly count: number; readonly head: string }> {
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
        `${file}: the database is damaged (${String(structure).slice(0, 200)}) and was not taken over.`,
      );
    const verdict = await verifyLog(db);
    if (!verdict.ok)
      throw new StoreError(
        "FOREIGN",
        `${file}: its log does not hold (${verdict.message}) It was not taken over; move it away.`,
      );
    return verdict;
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
