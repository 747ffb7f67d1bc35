import { join } from "node:path";
import type { CrashReport } from "../../../packages/engine/src/store/testing/crash-cycles.ts";
import { killedAfter } from "../../../packages/engine/src/store/testing/killed-after.ts";
import { checkProject } from "./check-project.ts";
import { makeProject } from "./project.ts";

const PROGRAM = join(import.meta.dirname, "crash-child.ts");
/** Checks get slower as a database grows, so start a new one after this many cycles. */
const CYCLES_PER_PROJECT = 25;
/** Long enough for some runs of each kind. */
const MAX_DELAY_MS = 400;
const MAX_WAITED_FOR = 5;

/** Kills a process that runs skills, at a random moment, again and again. It uses the built package, which starts faster. */
export async function crashCycles(
  cycles: number,
  random: () => number,
  maxDelayMs = MAX_DELAY_MS,
): Promise<CrashReport> {
  const problems: string[] = [];
  let acknowledged = 0;
  for (let done = 0; done < cycles; done += CYCLES_PER_PROJECT) {
    using project = makeProject();
    let head: string | undefined;
    for (let cycle = done; cycle < Math.min(cycles, done + CYCLES_PER_PROJECT); cycle++) {
      const args = [PROGRAM, project.path, `cycle-${cycle}`];
      // After the first line, each is the id of a run that was reported before the kill. Some are always waited for, because
      // on a busy machine the first run may take longer than the delay.
      const waitedFor = 1 + Math.floor(random() * MAX_WAITED_FOR);
      const { lines, pid } = await killedAfter(random() * maxDelayMs, args, waitedFor);
      const ids = lines.slice(1);
      acknowledged += ids.length;
      const found = await checkProject(project.path, ids, pid, head);
      head = found.head;
      problems.push(...found.problems.map((problem) => `cycle ${cycle}: ${problem}`));
    }
  }
  return { acknowledged, problems };
}
