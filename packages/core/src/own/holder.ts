import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "../errors.ts";

/**
 * Who holds something, in words that a clock has no part in: the machine, its start, its space of processes, the process
 * and its start. A process number alone may be another's by now.
 */
export interface Holder {
  readonly host: string;
  readonly boot: string;
  readonly space: string;
  readonly pid: number;
  readonly start: string;
}

let own: Holder | undefined;

export function ownHolder(): Holder {
  own ??= {
    host: hostname(),
    boot: readText("/proc/sys/kernel/random/boot_id"),
    space: readLink("/proc/self/ns/pid"),
    pid: process.pid,
    start: startOf(process.pid),
  };
  return own;
}

/** Whether the holder lives. "unknown": it is of another machine or container, where nobody here can look. */
export function lifeOf(holder: Holder, self = ownHolder()): "alive" | "dead" | "unknown" {
  if (holder.host !== self.host) return "unknown";
  // The machine was started anew since.
  if (holder.boot !== self.boot) return "dead";
  if (holder.space !== self.space) return "unknown";
  if (!isThere(holder.pid)) return "dead";
  return holder.start === "" || holder.start === startOf(holder.pid) ? "alive" : "dead";
}

export function readHolder(text: string): Holder | undefined {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== "object" || data === null) return undefined;
    const { host, boot, space, pid, start } = data as Record<string, unknown>;
    const areTexts = [host, boot, space, start].every((value) => typeof value === "string");
    const isNumber = typeof pid === "number" && Number.isInteger(pid) && pid > 0 && pid < 2 ** 31;
    return areTexts && isNumber ? (data as Holder) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

/** In ticks since the machine's start; empty where the system does not tell. */
function startOf(pid: number): string {
  // The name of a program may have spaces and brackets; what follows the last bracket has not.
  return readText(`/proc/${pid}/stat`).split(") ").pop()?.split(" ")[19] ?? "";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    systemCode(error); // Only Linux has it.
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    systemCode(error);
    return "";
  }
}
