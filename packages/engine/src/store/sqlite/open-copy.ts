import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lookAtOwn, openOwn } from "@knack/core/internal/engine";
import type { Database } from "../database.ts";
import { StoreError } from "../store-error.ts";
import { openSqlite } from "./sqlite.ts";

const TRIES = 5;
const CHUNK = 1024 * 1024;
const MAX_BYTES = 4 * 1024 ** 3;

/** Whether SQLite can write its log beside the file; not in a read-only folder or file system. */
export function mayWriteBeside(file: string): boolean {
  return [dirname(file), file].every((path) => {
    try {
      accessSync(path, constants.W_OK);
    } catch {
      return false;
    }
    // Root can write anyway, but must not if the mode allows it to nobody.
    return (statSync(path).mode & 0o222) !== 0;
  });
}

/**
 * Opens a private copy of a database: nothing is written beside the original. The copy is removed when it is closed. Links
 * below `base` are not followed.
 */
export async function openCopy(base: string, file: string): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "knack-copy-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "state.db");
    copyDatabase(base, file, copy);
    const db = await openSqlite(copy).catch((error: unknown) => {
      throw error instanceof StoreError
        ? new StoreError(error.code, error.message.replaceAll(copy, file), { cause: error })
        : error;
    });
    const close = async (): Promise<void> => {
      try {
        await db.close();
      } finally {
        remove();
      }
    };
    return {
      all: db.all.bind(db),
      get: db.get.bind(db),
      run: db.run.bind(db),
      transaction: db.transaction.bind(db),
      flush: db.flush.bind(db),
      close,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Copies the file and its log at one moment; tries again if another process wrote in between. */
export function copyDatabase(base: string, file: string, copy: string): void {
  if (lookAtOwn(base, `${file}-journal`).kind !== "absent")
    throw new StoreError(
      "FOREIGN",
      `${file} cannot be copied: ${file}-journal shows that a change was never finished.`,
    );
  for (let round = 0; round < TRIES; round++) {
    const before = stampOf(file);
    for (const part of ["", "-wal"]) {
      rmSync(`${copy}${part}`, { force: true });
      if (lookAtOwn(base, `${file}${part}`).kind !== "absent")
        copyBytes(base, `${file}${part}`, `${copy}${part}`);
    }
    if (stampOf(file) === before) return;
  }
  throw new StoreError(
    "BUSY",
    `${file}: another process keeps writing to the database; try again when it has finished.`,
  );
}

function copyBytes(base: string, from: string, to: string): void {
  const source = openOwn(base, from, constants.O_RDONLY);
  try {
    const { size } = fstatSync(source);
    if (size > MAX_BYTES)
      throw new StoreError("FOREIGN", `${from} has ${size} bytes; at most ${MAX_BYTES} can be copied.`);
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

function stampOf(file: string): string {
  const stamps = ["", "-wal"].map((part) => {
    const stats = statSync(`${file}${part}`, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.size}:${stats.mtimeNs}:${stats.ino}` : "none";
  });
  return stamps.join(" ");
}
