import { readdirSync, readFileSync } from "node:fs";

/** The current usage of a process; `null` if it has exited. Linux only. */
export interface Taken {
  readonly rssMb: number;
  readonly descriptors: number;
  readonly children: number;
}

export function takenBy(pid: number): Taken | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    // A zombie: its parent has not waited for it yet.
    if (/^State:\s+[ZX]/m.test(status)) return null;
    const rss = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    return {
      rssMb: rss / 1024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      children: descendantsOf(pid).length,
    };
  } catch {
    // It exited between two reads.
    return null;
  }
}

/** All descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const all: number[] = [];
  for (const queue = [pid]; queue.length > 0; ) {
    const next = parents.get(queue.shift() ?? 0) ?? [];
    all.push(...next);
    queue.push(...next);
  }
  return all;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
