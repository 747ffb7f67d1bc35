import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkProject } from "./check-project.ts";
import { makeProject } from "./project.ts";

/** A database that grows without end would make the check after each kill slower and slower. */
const CYCLES_PER_PROJECT = 25;
/** Long enough for some runs of each kind. */
const MAX_DELAY_MS = 400;

export interface CrashReport {
  readonly acknowledged: number;
  /** What did not hold, each with the number of its cycle. */
  readonly problems: readonly string[];
}

/** Kills a process that runs skills, at a random moment, again and again. */
export async function crashCycles(cycles: number, random: () => number): Promise<CrashReport> {
  const problems: string[] = [];
  let acknowledged = 0;
  for (let done = 0; done < cycles; done += CYCLES_PER_PROJECT) {
    using project = makeProject();
    let head: string | undefined;
    for (let cycle = done; cycle < Math.min(cycles, done + CYCLES_PER_PROJECT); cycle++) {
      const { ids, pid } = await killedAfter(project.path, `cycle-${cycle}`, random() * MAX_DELAY_MS);
      acknowledged += ids.length;
      const found = await checkProject(project.path, ids, pid, head);
      head = found.head;
      problems.push(...found.problems.map((problem) => `cycle ${cycle}: ${problem}`));
    }
  }
  return { acknowledged, problems };
}

/** The runs that were reported before the kill. */
async function killedAfter(
  root: string,
  name: string,
  delayMs: number,
): Promise<{ readonly ids: string[]; readonly pid: number }> {
  const program = join(import.meta.dirname, "crash-child.ts");
  const child = spawn(process.execPath, ["--conditions=knack-source", program, root, name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, ".knack", "compiled") },
  });
  const closed = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await Promise.race([once(child.stdout, "data"), closed]);
  await wait(delayMs);
  child.kill("SIGKILL");
  const [code, signal] = await closed;
  if (signal !== "SIGKILL") throw new Error(`The process ended by itself (${code ?? signal}).`);
  // A line without its end was cut by the kill, and a report is a whole line.
  return { ids: output.split("\n").slice(1, -1), pid: child.pid ?? 0 };
}
