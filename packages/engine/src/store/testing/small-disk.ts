import { spawnSync } from "node:child_process";
import type { Database } from "../database.ts";

const SMALL = "1m";
const LARGE = "8m";

/** A place for a database that is soon full, and can be enlarged. */
export interface SmallDisk extends Disposable {
  limit(db: Database): Promise<void>;
  enlarge(db: Database): Promise<void>;
}

/** A file system of 1 MiB if the user may mount one; otherwise a limit on the database's pages. */
export function smallDisk(folder: string): SmallDisk {
  const mount = (options: string): boolean =>
    spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder]).status === 0;
  if (!mount(`size=${SMALL},mode=700`))
    return {
      limit: async (db) => void (await db.get("PRAGMA max_page_count = 60")),
      enlarge: async (db) => void (await db.get("PRAGMA max_page_count = 10000")),
      [Symbol.dispose]: () => undefined,
    };
  return {
    limit: async () => undefined,
    enlarge: async () => {
      if (!mount(`remount,size=${LARGE}`)) throw new Error("The file system cannot be made larger.");
    },
    [Symbol.dispose]: () => void spawnSync("umount", [folder]),
  };
}
