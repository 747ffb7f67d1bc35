import { lstatSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isGone, systemCode } from "@knack/core/internal/engine";
import { machine } from "./own-name.ts";

/** No run takes this long, so anything older is left over, whichever machine created it. */
const OLD_MS = 2 * 24 * 60 * 60 * 1000;
/** Folders that are remembered as swept; more are swept again. */
const MAX_REMEMBERED = 10_000;

/** Removes what processes left behind that were killed. */
export class Leftovers {
  readonly #swept = new Set<string>();

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
      if (systemCode(error) === undefined) throw error;
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
