import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** A variable that everything a runner starts inherits. It holds the mark of each runner around, outermost first. */
export const MARK = "KNACK_RUNNER_MARK";

/** How many runners a process with this environment is inside of. */
export function runnersAround(env: NodeJS.ProcessEnv): number {
  return (env[MARK] ?? "").split(":").filter((mark) => mark !== "").length;
}

/** What is not gone by then hangs in the kernel itself. */
const END_WITHIN_MS = 10_000;

/**
 * Ends what is left of a runner: its process group, and on Linux what left the group but inherited the mark. A process
 * that leaves the group and clears its environment gets away. Returns when none is left.
 */
export async function endProcesses(group: number, mark: string, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS;
  for (;;) {
    const wasThere = endGroup(group, hasEnded);
    const found = process.platform === "linux" ? await marked(mark) : [];
    const left = found.map((pid) => send(pid, "SIGKILL")).includes(true) || (wasThere && !hasEnded());
    if (!left || performance.now() > deadline) return;
    await wait(10);
  }
}

function endGroup(group: number, hasEnded: () => boolean): boolean {
  if (process.platform !== "win32") return send(-group, "SIGKILL");
  return !hasEnded() && send(group, "SIGKILL");
}

/** Asks a group to end. */
export function askToEnd(group: number): void {
  send(process.platform === "win32" ? group : -group, "SIGTERM");
}

/** Whether there was something to send it to. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone already.
  }
}

async function marked(mark: string): Promise<number[]> {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const has = await Promise.all(
    all.map((pid) =>
      readFile(`/proc/${pid}/environ`, "latin1").then(
        (text) => text.split("\0").some((line) => line.startsWith(`${MARK}=`) && line.includes(mark)),
        () => false, // Gone meanwhile, or another user's: not one of ours.
      ),
    ),
  );
  return all.filter((_pid, at) => has[at]).map(Number);
}
