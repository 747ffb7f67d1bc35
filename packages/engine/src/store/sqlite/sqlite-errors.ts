import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

// Primary result codes of SQLite (sqlite.org/rescode.html).
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** SQLite's primary result code; 0 for an error that is not SQLite's. */
function sqliteCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return 0;
  return error.errcode & 0xff;
}

/** Translates an SQLite error for the user. Other errors are returned as they are. */
export function storeErrorOf(error: unknown, file: string): unknown {
  const told = (code: ConstructorParameters<typeof StoreError>[0], text: string): StoreError =>
    new StoreError(code, `${file}: ${text}`, { cause: error });
  const detail = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case FULL:
      return told("DISK_FULL", "the disk is full, nothing was recorded. Free some space and try again.");
    case BUSY:
    case LOCKED:
      return told(
        "BUSY",
        "another process kept the database locked for too long. Try again; if it happens again, end that process.",
      );
    case CORRUPT:
    case NOTADB:
      return told(
        "CORRUPT",
        `the database is damaged (${detail}). Restore it from a backup, or move it away to start with an empty one.`,
      );
    case READONLY:
      return told(
        "READONLY",
        "the database cannot be written. Check the permissions of the file and its folder.",
      );
    case IOERR:
    case CANTOPEN:
      // If SQLite could not create or extend a file beside the database, it does not say why.
      if (isDiskFull(file))
        return told("DISK_FULL", "the disk is full, nothing was recorded. Free some space and try again.");
      return told(
        "IO",
        `the database could not be read or written (${detail}). Check the disk and the folder.`,
      );
    default:
      if (error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE")
        return told(
          "CORRUPT",
          "the database contains a number that Knack did not write. Restore it from a backup.",
        );
      return error;
  }
}

function isDiskFull(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    // The folder is missing, or the file system gives no reason: keep SQLite's error.
    return false;
  }
}
