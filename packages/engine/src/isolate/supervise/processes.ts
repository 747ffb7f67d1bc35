import { readdirSync, readFileSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { MARK } from "../environment.ts";

/** Where the processes of one run are to be found. */
export interface Processes {
  /** The process that was started, and whether it has ended: then its number may be another's. */
  readonly pid: number;
  ended(): boolean;
  /** The first process of the run's own pid namespace, and that namespace, as soon as bubblewrap has told them. */
  namespace(): { readonly init: number; readonly id: number } | null;
  /** The value of the variable that all descendants inherit; `null` where a namespace holds them. */
  readonly mark: string | null;
}

/** Number of processes and, where that is no more than `most`, memory of their own. `null` where the system does not tell. */
export async function usageOf(
  processes: Processes,
  most: number,
): Promise<{ count: number; megabytes: number } | null> {
  if (process.platform !== "linux") return null;
  const namespace = processes.namespace();
  if (processes.mark === null && namespace === null) return null;
  // The run's own /proc, seen from here, lists exactly the processes of the run.
  const folder = namespace === null ? "/proc" : `/proc/${namespace.init}/root/proc`;
  const pids =
    processes.mark === null
      ? list(folder).filter((pid) => pid !== 1)
      : [...new Set([processes.pid, ...(await marked(processes.mark))])];
  if (pids.length > most) return { count: pids.length, megabytes: 0 };
  const pages = pids.reduce((sum, pid) => sum + ownPages(`${folder}/${pid}/statm`), 0);
  return { count: pids.length, megabytes: (pages * 4096) / 1024 ** 2 };
}

/** A thousand processes take the kernel a moment; what is not gone by then hangs in the kernel itself. */
const END_WITHIN_MS = 10_000;

/** Ends every process of a run and returns when none is left. */
export async function endProcesses(processes: Processes): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS;
  // A look at all processes can miss one whose parent ended between being listed and being looked at; the next finds it.
  const looks = processes.mark === null ? 1 : 3;
  for (let empty = 0; empty < looks; ) {
    const left = processes.mark === null ? await endNamespace(processes) : await endMarked(processes);
    empty = left ? 0 : empty + 1;
    if (performance.now() > deadline) return;
    await wait(10);
  }
}

/** The kernel ends all processes of a pid namespace with its first one, whatever they did to detach themselves. */
async function endNamespace(processes: Processes): Promise<boolean> {
  const namespace = processes.namespace();
  if (namespace === null) return !processes.ended() && kill(processes.pid);
  return (await isAlive(namespace)) && kill(namespace.init);
}

/**
 * Whether the first process of a namespace still is that. Without the look at the namespace another process could be meant
 * that was given its number; a dead one that nobody has waited for yet has no other process left in its namespace.
 */
async function isAlive({ init, id }: { init: number; id: number }): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${init}/ns/pid`)) !== `pid:[${id}]`) return false;
    return !/\) [ZX] /.test(await readFile(`/proc/${init}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/**
 * Without a namespace: the process group, and what left it but inherited the mark. A process that both leaves the group
 * and clears its environment gets away; that is one of the differences between the levels.
 */
async function endMarked(processes: Processes): Promise<boolean> {
  if (process.platform !== "win32") kill(-processes.pid);
  else if (!processes.ended()) kill(processes.pid);
  const found = process.platform === "linux" ? await marked(processes.mark ?? "") : [];
  return found.map(kill).includes(true) || !processes.ended();
}

async function marked(mark: string): Promise<number[]> {
  const line = `${MARK}=${mark}`;
  const all = list("/proc");
  const has = await Promise.all(
    all.map((pid) =>
      readFile(`/proc/${pid}/environ`, "latin1").then(
        (text) => text.split("\0").includes(line),
        // It has exited, or belongs to another user: not ours.
        () => false,
      ),
    ),
  );
  return all.filter((_pid, index) => has[index]);
}

// These wait for no disk, and a fork bomb must not outrun the pool of threads that would do them.
function list(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function ownPages(statm: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(statm, "latin1").split(" ").map(Number);
    return Math.max(0, resident - shared);
  } catch {
    return 0;
  }
}

/** Whether there was something to kill. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
