import { hash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { tryOr } from "../errors.ts";

/** Names a process on this machine: `boot` its last start, `clock` where times since then compare, `space` where pids do. */
export interface ProcessMark {
  readonly boot: string;
  readonly clock: string;
  readonly space: string;
  readonly pid: number;
  /** In the kernel's ticks, so that a reused pid differs; empty where unknown. */
  readonly started: string;
}

let own: ProcessMark | undefined;

export function ownProcess(): ProcessMark {
  own ??= { ...places(), pid: process.pid, started: statOf(process.pid)?.started ?? "" };
  return own;
}

/** Except on Linux only a process that is gone is known for certain; another may have its number, and the lease decides. */
function places(): Pick<ProcessMark, "boot" | "clock" | "space"> {
  if (process.platform !== "linux") return { boot: "-", clock: "-", space: short(hostname()) };
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return {
      boot: short(boot),
      // Kernels before 5.6 have no spaces of time.
      clock: short(`${boot}${tryOr(() => readlinkSync("/proc/self/ns/time"), "")}`),
      space: short(`${boot}${readlinkSync("/proc/self/ns/pid")}`),
    };
  } catch {
    // Without /proc nothing can be known of others: the lease decides.
    return { boot: "-", clock: "-", space: short(randomUUID()) };
  }
}

const short = (text: string): string => hash("sha256", text).slice(0, 16);

export function isGone({ pid, started }: Pick<ProcessMark, "pid" | "started">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is there and another user's (EPERM), or the number is none.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const now = statOf(pid);
  if (!now) return false;
  // Dead, but not yet reaped.
  if (now.state === "Z" || now.state === "X") return true;
  return started !== "" && now.started !== started;
}

export function startOf(pid: number): string {
  return statOf(pid)?.started ?? "";
}

/** 0 where that is not known. */
export function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? 0;
}

/** Fields 3, 4 and 22 of /proc/<pid>/stat; the name before them may hold anything. */
function statOf(pid: number) {
  if (process.platform !== "linux") return undefined;
  const text = tryOr(() => readFileSync(`/proc/${pid}/stat`, "latin1"), undefined);
  // Gone between two looks, or hidden from this user: `kill` has the word.
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", parent: Number(fields[1]), started: fields[19] ?? "" };
}
