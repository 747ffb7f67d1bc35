import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Database } from "./database.ts";
import { openSqlite } from "./sqlite.ts";
import { StoreError } from "./store-error.ts";

const TRIES = 5;

/** Whether SQLite could keep its log beside the file: not in a folder or on a disk that must not be changed. */
export function mayWriteBeside(file: string): boolean {
  return [dirname(file), file].every((path) => {
    try {
      accessSync(path, constants.W_OK);
    } catch {
      return false;
    }
    // An administrator may write all the same, and must not where nobody is meant to.
    return (statSync(path).mode & 0o222) !== 0;
  });
}

/** Opens a copy of a database, so that not a byte beside the original is written. The copy is gone when it is closed. */
export async function openCopy(file: string): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "knack-copy-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "state.db");
    copyWhole(file, copy);
    const db = await openSqlite(copy);
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

/** The file and its log as they were at one moment: where another process wrote meanwhile, once more. */
function copyWhole(file: string, copy: string): void {
  for (let round = 0; round < TRIES; round++) {
    const before = stampOf(file);
    for (const part of ["", "-wal"]) {
      rmSync(`${copy}${part}`, { force: true });
      if (!existsSync(`${file}${part}`)) continue;
      copyFileSync(`${file}${part}`, `${copy}${part}`);
      chmodSync(`${copy}${part}`, 0o600);
    }
    if (stampOf(file) === before) return;
  }
  throw new StoreError(
    "BUSY",
    `${file}: another process writes to it all the time; try again when it is done.`,
  );
}

function stampOf(file: string): string {
  const stamps = ["", "-wal"].map((part) => {
    const stats = statSync(`${file}${part}`, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.size}:${stats.mtimeNs}:${stats.ino}` : "none";
  });
  return stamps.join(" ");
}
