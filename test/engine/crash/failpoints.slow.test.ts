import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canTrace, killedAt } from "../../killed-at.ts";
import { checkProject } from "./check-project.ts";
import { makeProject } from "./project.ts";

const MINUTES = 60_000;
const PROGRAM = join(import.meta.dirname, "crash-child.ts");

/** Runs one skill in a process that is killed; `null` if it finished. */
function killedBefore(root: string, call: string, n: number): { ids: string[]; pid: number } | null {
  const printed = killedAt(call, n, [PROGRAM, root, `${call}-${n}`, "1"], { env: process.env });
  if (printed === null) return null;
  const [pid = "", ...ids] = printed.split("\n").slice(0, -1);
  return { ids, pid: Number(pid) };
}

/**
 * The order of a run: create the folders of the run and of the artifact (mkdir), sync its bytes (fsync), put its name
 * in place (link), sync the folder (fsync), remove the temporary name (unlink), sync the record (fsync). A kill before each
 * call of each name is a kill between any two of them.
 */
describe.skipIf(!canTrace)("a kill before each call that changes the disk", () => {
  it.each([["mkdir"], ["link"], ["unlink"], ["fsync"]])(
    "%s: a run that is recorded has its artifact, and one that is not can be run again",
    async (call) => {
      using project = makeProject();
      // The database and its first run exist, so that only this run's calls are counted.
      await checkProject(project.path, [], 0);
      let kills = 0;
      for (let n = 1; ; n++) {
        const killed = killedBefore(project.path, call, n);
        if (killed === null) break;
        kills++;
        const { problems } = await checkProject(project.path, killed.ids, killed.pid);
        expect(problems, `${call} ${n}`).toEqual([]);
      }
      expect(kills).toBeGreaterThan(0);
      console.log(`${call}: ${kills} kills`);
    },
    3 * MINUTES,
  );
});
