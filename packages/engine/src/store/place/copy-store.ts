import { randomUUID } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, unlinkSync } from "node:fs";
import {
  forgetStore,
  type KnownStore,
  rememberStore,
  removeQuietly,
  type StatePlace,
  systemCode,
  type TrustPlace,
} from "@knack/core/internal/engine";
import { retryBusy } from "../sqlite/retry-busy.ts";
import { SqliteConnection } from "../sqlite/sqlite-connection.ts";
import { takeDatabaseFile } from "../sqlite/sqlite-file.ts";
import { migrate } from "../sqlite/sqlite-migrate.ts";
import { StoreError } from "../store-error.ts";
import { fileOf, makeStore, prepareFolder, settle } from "./make-store.ts";

const BUSY_MS = 5_000;
const HEAD =
  "SELECT count(*) AS count, (SELECT hash FROM task_events ORDER BY seq DESC LIMIT 1) AS head FROM task_events";

/**
 * Moves the state of a project, entirely or not at all: writers are locked out, and the original is removed only after the
 * copy is synced and has the same log. Returns why it was not moved.
 */
export async function moveState(
  from: StatePlace,
  to: StatePlace,
  user: TrustPlace,
): Promise<"moved" | "nothing to move" | "runs are going on"> {
  if (!from.exists || to.exists) return "nothing to move";
  const source = fileOf(from);
  const taken = takeDatabaseFile(source, from);
  const writer = new SqliteConnection(source);
  try {
    await migrate(writer, source, BUSY_MS);
    taken.checkAgain();
    await retryBusy(BUSY_MS, () => writer.exec("BEGIN IMMEDIATE"));
    const running = "SELECT 1 FROM skill_runs WHERE status = 'RUNNING' AND lease_until > ? LIMIT 1";
    if (writer.get(running, [new Date().toISOString()])) return "runs are going on";
    await copyStore(source, to, user);
    unlinkSync(source);
    if (from.isToRemember) await forgetStore(source, user);
  } finally {
    writer.rollback();
    writer.close();
    taken.release();
  }
  for (const end of ["-wal", "-shm"]) removeQuietly(`${source}${end}`);
  return "moved";
}

/** Writes the content of a database to a new file at `to`. */
export async function copyStore(source: string, to: StatePlace, user: TrustPlace): Promise<void> {
  const target = fileOf(to);
  if (!to.isToRemember) await makeStore(to, user);
  const place = (): KnownStore => {
    prepareFolder(to);
    const copy = `${target}.copy-${randomUUID()}`;
    try {
      const id = writeAnew(source, copy);
      return { ...settle(copy, target), id };
    } finally {
      for (const end of ["", "-journal", "-wal", "-shm"]) removeQuietly(`${copy}${end}`);
    }
  };
  if (to.isToRemember) await rememberStore(user, place);
  else place();
}

/** Writes every table from scratch: no page of the old file is copied. Returns the id of the store. */
function writeAnew(source: string, copy: string): string {
  sync(copy, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0));
  const reader = new SqliteConnection(source);
  try {
    reader.run("VACUUM INTO ?", [copy]);
    const before = reader.get(HEAD);
    const id = reader.get("SELECT store_id FROM store_identity")?.store_id;
    sync(copy, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    const written = new SqliteConnection(copy);
    try {
      const after = written.get(HEAD);
      if (before?.count !== after?.count || before?.head !== after?.head || typeof id !== "string")
        throw new StoreError(
          "CORRUPT",
          `${source}: the copy does not match the original; nothing was changed.`,
        );
      return id;
    } finally {
      written.close();
    }
  } finally {
    reader.close();
  }
}

function sync(file: string, flags: number): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, flags, 0o600);
  } catch (error) {
    throw new StoreError("IO", `${file} cannot be written (${systemCode(error)}).`, { cause: error });
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
