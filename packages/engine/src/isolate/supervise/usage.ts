import { readFileSync } from "node:fs";
import { listProcesses, markedProcesses, type ProcessTree } from "@knack/core/internal/engine";

/** The number of processes and, if that is at most `most`, their private memory. `null` if the system does not report it. */
export async function usageOf(
  tree: ProcessTree,
  most: number,
): Promise<{ count: number; megabytes: number } | null> {
  if (process.platform !== "linux") return null;
  const namespace = tree.namespace?.() ?? null;
  if (tree.mark === null && namespace === null) return null;
  // The run's own /proc lists exactly the processes of the run.
  const folder = namespace === null ? "/proc" : `/proc/${namespace.init}/root/proc`;
  const pids =
    tree.mark === null
      ? listProcesses(folder).filter((pid) => pid !== 1)
      : [...new Set([tree.pid, ...(await markedProcesses(tree.mark))])];
  if (pids.length > most) return { count: pids.length, megabytes: 0 };
  const pages = pids.reduce((sum, pid) => sum + ownPages(`${folder}/${pid}/statm`), 0);
  return { count: pids.length, megabytes: (pages * 4096) / 1024 ** 2 };
}

// Synchronous, because /proc does not wait for a disk.
function ownPages(statm: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(statm, "latin1").split(" ").map(Number);
    return Math.max(0, resident - shared);
  } catch {
    return 0;
  }
}
