import { randomUUID } from "node:crypto";
import { closeSync, constants, fsyncSync, lstatSync, rmSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemCode } from "@knack/core/files";
import { isGone, listProcesses, ownProcess } from "@knack/core/process";
import type { Folder } from "./folder.ts";
import { type Hashed, writeBytes } from "./hash-file.ts";

export const RUN_FOLDER = "knack-run-";

/** How a file is named until it is whole. */
export const TEMPORARY = ".knack-";
export const TEMPORARY_END = ".tmp";

/** A name for a temporary file of this process. It names the process, so that others can tell when the file is left over. */
export function ownName(prefix: string, suffix = ""): string {
  return `${prefix}${machine()}-${process.pid}-${randomUUID()}${suffix}`;
}

/** Writes and syncs a file under a name of its own; only then `link` names it. After a crash it is whole, or not there. */
export async function writeWhole<T>(
  folder: Folder,
  bytes: AsyncIterable<Uint8Array>,
  link: (temporary: string, written: Hashed) => Promise<T>,
): Promise<T> {
  const temporary = ownName(TEMPORARY, TEMPORARY_END);
  const fd = folder.openFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    let written: Hashed;
    try {
      written = await writeBytes(bytes, fd);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const linked = await link(temporary, written);
    folder.sync();
    return linked;
  } finally {
    rmSync(folder.at(temporary), { force: true });
  }
}

/** Where process numbers mean the same. */
export function machine(): string {
  return ownProcess().space.slice(0, 8);
}

/** No run takes this long, so anything older is left over, whichever machine created it. */
const OLD_MS = 2 * 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 10_000;

export class Leftovers {
  readonly #swept = new Set<string>();
  #hasEndedSandboxes = false;

  /** Ends sandboxes that outlived a Knack killed while bubblewrap started: their arguments name the run's folder. */
  async endSandboxesOnce(): Promise<void> {
    if (this.#hasEndedSandboxes || process.platform !== "linux") return;
    this.#hasEndedSandboxes = true;
    const folder = new RegExp(`/${RUN_FOLDER}([0-9a-f]{8})-(\\d{1,10})-`);
    for (const pid of listProcesses("/proc")) {
      try {
        const [program = "", ...args] = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
        if (basename(program) !== "bwrap") continue;
        const [, where, owner] = args.map((arg) => folder.exec(arg)).find(Boolean) ?? [];
        if (where === machine() && isGone({ pid: Number(owner), started: "" })) process.kill(pid, "SIGKILL");
      } catch (error) {
        systemCode(error); // It ended meanwhile, or is another user's.
      }
    }
  }

  /** Looks through a folder once for names of this form; `place` tells folders apart that are reached by a descriptor. */
  async sweepOnce(folder: string, prefix: string, suffix = "", place = folder): Promise<void> {
    if (this.#swept.has(place)) return;
    if (this.#swept.size >= MAX_REMEMBERED) this.#swept.clear();
    this.#swept.add(place);
    try {
      for (const name of await readdir(folder))
        if (
          name.startsWith(prefix) &&
          name.endsWith(suffix) &&
          isNobodys(name.slice(prefix.length), join(folder, name))
        )
          await rm(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      // A folder that cannot be read or changed keeps what is in it: that must not fail the run which came by.
      systemCode(error);
    }
  }
}

function isNobodys(mark: string, path: string): boolean {
  const [, where, pid] = /^([0-9a-f]{8})-(\d{1,10})-/.exec(mark) ?? [];
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // In a shared folder the name of another user's file proves nothing.
  if (pid === undefined || !stats || (process.getuid && stats.uid !== process.getuid())) return false;
  return where === machine()
    ? isGone({ pid: Number(pid), started: "" })
    : Date.now() - stats.mtimeMs > OLD_MS;
}
