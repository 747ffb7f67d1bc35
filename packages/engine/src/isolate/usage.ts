import { readFileSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join, relative } from "node:path";
import { listProcesses, markedProcesses, type ProcessTree } from "@knack/core/process";
import type { ProcessLimits } from "./execution.ts";

/** Which limit its processes exceed together, or `null`, also if the system does not report what they use. */
async function processesOver(tree: ProcessTree, limits: ProcessLimits): Promise<string | null> {
  const namespace = tree.namespace?.() ?? null;
  if (process.platform !== "linux" || (tree.mark === null && namespace === null)) return null;
  // The run's own /proc lists exactly the processes of the run.
  const folder = namespace === null ? "/proc" : `/proc/${namespace.init}/root/proc`;
  const pids =
    tree.mark === null
      ? listProcesses(folder).filter((pid) => pid !== 1)
      : [...new Set([tree.pid, ...(await markedProcesses(tree.mark))])];
  if (pids.length > limits.maxProcesses) return `exceeded the limit of ${limits.maxProcesses} processes`;
  const kilobytes = pids.reduce((sum, pid) => sum + ownKilobytes(`${folder}/${pid}/status`), 0);
  return kilobytes / 1024 > limits.memoryMb ? `exceeded the limit of ${limits.memoryMb} MB of memory` : null;
}

// Synchronous, because /proc does not wait for a disk. Not from `statm`: it counts pages, whose size differs by machine.
function ownKilobytes(status: string): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(status, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const PROCESSES_EVERY_MS = 50;
const ARTIFACTS_EVERY_MS = 200;

/** Checks what the kernel's limits do not cover: all processes together, the whole folder. Calls back once. */
export function watchUsage(
  tree: ProcessTree,
  artifactsDir: string,
  limits: ProcessLimits,
  exceeded: (message: string) => void,
): () => void {
  const timers = new Set<NodeJS.Timeout>();
  let over = false;
  const repeat = (everyMs: number, look: () => Promise<string | null>): void => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const message = await look();
      if (over) return;
      if (message === null) return repeat(everyMs, look);
      exceeded(message);
    }, everyMs);
    timers.add(timer);
  };
  repeat(tree.mark === null ? PROCESSES_EVERY_MS : ARTIFACTS_EVERY_MS, () => processesOver(tree, limits));
  repeat(ARTIFACTS_EVERY_MS, () => artifactsOver(artifactsDir, limits));
  return () => {
    over = true;
    for (const timer of timers) clearTimeout(timer);
  };
}

/** Which limit the folder exceeds, or `null`. Also called when there is a result, since the last check may be 200 ms old. */
export async function artifactsOver(folder: string, limits: ProcessLimits): Promise<string | null> {
  const files: string[] = [];
  let count = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    try {
      // List names first, in large batches: each size needs a call, and a flood of files must not outrun the check.
      for await (const entry of await opendir(next, { bufferSize: 1024 })) {
        count += 1;
        if (count > limits.maxArtifactFiles)
          return `exceeded the limit of ${limits.maxArtifactFiles} artifact files`;
        if (entry.isDirectory()) pending.push(join(next, entry.name));
        else if (entry.isFile()) files.push(join(next, entry.name));
      }
    } catch (error) {
      // A removed folder takes no space; an unreadable one could hide any amount.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        return `created a folder that cannot be read: ${relative(folder, next) || "."}`;
    }
  }
  const sizeOf = async (file: string) => (await lstat(file).catch(() => null))?.size ?? 0;
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0) > limits.maxArtifactBytes
    ? `exceeded the limit of ${limits.maxArtifactBytes} bytes of artifacts`
    : null;
}
