import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Server } from "../../http/server.ts";

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It exited between two reads.
    return "";
  }
}

/** The ids of all descendants of this process. Linux only. */
export function descendants(pid: number): number[] {
  const own = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return own.flatMap((child) => [child, ...descendants(child)]);
}

/** Whether it is running and not a zombie. */
export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

/** The processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  // The fields after the name, which may contain anything: user and system time, in hundredths of a second.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** The peak memory of a process, as counted by the kernel, in MiB. */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

export interface Measured<T> {
  readonly value: T;
  readonly seconds: number;
  /** For the largest process that was started meanwhile, in MiB. */
  readonly peak: number;
}

/** Does something while watching what the processes below this one use. */
export async function measured<T>(pid: number, work: () => Promise<T>): Promise<Measured<T>> {
  const begun = performance.now();
  let peak = 0;
  const timer = setInterval(() => {
    for (const child of descendants(pid)) peak = Math.max(peak, peakOf(child));
  }, 20);
  try {
    const value = await work();
    return { value, seconds: (performance.now() - begun) / 1000, peak };
  } finally {
    clearInterval(timer);
  }
}

/** How often the server answers another client before something is over. */
export async function answersUntil(server: Server, over: () => boolean): Promise<number> {
  for (let answers = 0; ; answers++) {
    const answer = await server.get("/api/skills");
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The server answered ${answer.status}.`);
    if (over()) return answers;
    // Less and less often: what a busy machine makes slow is not asked more, which would count as the server's own time.
    await wait(50 + 10 * answers);
  }
}
