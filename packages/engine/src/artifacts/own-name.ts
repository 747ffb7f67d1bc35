import { hash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** How the folders of runs begin, in the system's folder for temporary files. */
export const RUN_FOLDER = "knack-run-";

/** How a file is named until it is whole. */
export const TEMPORARY = ".knack-";
export const TEMPORARY_END = ".tmp";

/**
 * A name for a temporary file of this process. It names the process, so that others can tell when the file is left over
 * (`leftovers.ts`).
 */
export function ownName(prefix: string, suffix = ""): string {
  return `${prefix}${machine()}-${process.pid}-${randomUUID()}${suffix}`;
}

let known: string | undefined;

/** Where process numbers mean the same: this machine since it was started, and on Linux this space of processes. */
export function machine(): string {
  known ??= hash("sha256", [hostname(), ...linuxMarks()].join("\n")).slice(0, 8);
  return known;
}

function linuxMarks(): string[] {
  if (process.platform !== "linux") return [];
  try {
    return [readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), readlinkSync("/proc/self/ns/pid")];
  } catch {
    // Without them no name can be matched to this machine, so leftovers stay until they are old.
    return [randomUUID()];
  }
}
