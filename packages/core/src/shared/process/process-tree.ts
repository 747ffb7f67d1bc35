import { readFile, readlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { tryOr } from "../errors.ts";
import { namesIn } from "../regular-file.ts";

/** A process that we started as the leader of a group of its own, with everything that it started. */
export interface ProcessTree {
  readonly pid: number;
  /** Whether the first process has ended: then its number may be another's. */
  hasEnded(): boolean;
  /** What all descendants inherit; `null` where a pid namespace holds them. */
  readonly mark: EnvironmentMark | null;
  /** The tree's own pid namespace, once it is known. */
  namespace?(): PidNamespace | null;
}

/** A variable with an unguessable value, perhaps among others with `:` between. */
export interface EnvironmentMark {
  readonly variable: string;
  readonly value: string;
}

interface PidNamespace {
  readonly init: number;
  readonly id: number;
}

/** A thousand processes take the kernel a moment; what is not gone by then hangs in the kernel itself. */
const END_WITHIN_MS = 10_000;

/** Listings in one look; on a busy machine there is always a new process. */
const MAX_ROUNDS = 1_000;

/** Ends every process of a tree and returns when none is left. */
export async function endTree(tree: ProcessTree): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS;
  // A process that is starting a program has no environment for a moment; the next look finds it.
  const looks = tree.mark === null ? 1 : 3;
  for (let empty = 0; ; await wait(10)) {
    const left = tree.mark === null ? await endNamespace(tree) : await endMarked(tree, tree.mark);
    empty = left ? 0 : empty + 1;
    if (empty === looks || performance.now() > deadline) return;
  }
}

export function askToEnd(group: number): void {
  signalGroup(group, "SIGTERM");
}

export function endGroup(group: number): void {
  signalGroup(group, "SIGKILL");
}

export async function markedProcesses(
  mark: EnvironmentMark,
  among = listProcesses("/proc"),
): Promise<number[]> {
  const start = `${mark.variable}=`;
  const isMarked = (line: string): boolean =>
    line.startsWith(start) && line.slice(start.length).split(":").includes(mark.value);
  const has = await Promise.all(
    among.map((pid) =>
      readFile(`/proc/${pid}/environ`, "latin1").then(
        (text) => text.split("\0").some(isMarked),
        () => false, // Gone meanwhile, or another user's: not one of ours.
      ),
    ),
  );
  return among.filter((_pid, index) => has[index]);
}

/** Synchronous: a fork bomb must not outrun a thread pool. */
export function listProcesses(proc: string): number[] {
  const names = namesIn(proc).filter((name) => /^\d+$/.test(name));
  return names.map(Number);
}

/** The kernel ends a pid namespace with its first process. */
async function endNamespace(tree: ProcessTree): Promise<boolean> {
  const namespace = tree.namespace?.() ?? null;
  if (namespace === null) return !tree.hasEnded() && send(tree.pid, "SIGKILL");
  return (await isAlive(namespace)) && send(namespace.init, "SIGKILL");
}

/** Whether the namespace's first process is still that one, and not another with its number. */
async function isAlive({ init, id }: PidNamespace): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${init}/ns/pid`)) !== `pid:[${id}]`) return false;
    return !/\) [ZX] /.test(await readFile(`/proc/${init}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The process group and, on Linux, what inherited the mark. Leaving the group and clearing the environment escapes this. */
async function endMarked(tree: ProcessTree, mark: EnvironmentMark): Promise<boolean> {
  if (process.platform !== "win32" || !tree.hasEnded()) endGroup(tree.pid);
  const seen = new Set<number>();
  let left = !tree.hasEnded();
  if (process.platform !== "linux") return left;
  // Until nothing new is listed: a process that ended before it was looked at may have passed itself on to a new one.
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const fresh = listProcesses("/proc").filter((pid) => !seen.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) seen.add(pid);
    for (const pid of await markedProcesses(mark, fresh)) if (send(pid, "SIGKILL")) left = true;
  }
  return left;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(process.platform === "win32" ? group : -group, signal);
}

/** Whether there was something to send it to. To 0 and -1 a signal would reach ourselves, or everybody. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  if (!Number.isSafeInteger(pid) || Math.abs(pid) <= 1) return false;
  // It may be gone already, or not ours any more.
  return tryOr(() => process.kill(pid, signal), false);
}
