import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkProject } from "./check-project.ts";
import { makeProject } from "./project.ts";

const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
const MINUTES = 60_000;

/** Runs one skill in a process that is killed at its n-th system call of this name; `null` if it made fewer and finished. */
function killedBefore(root: string, call: string, n: number): { ids: string[]; pid: number } | null {
  const program = join(import.meta.dirname, "crash-child.ts");
  const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=SIGKILL:when=${n}`];
  const child = [process.execPath, "--conditions=knack-source", program, root, `${call}-${n}`, "1"];
  const { stdout, signal, status } = spawnSync("strace", ["-qq", "-o", "/dev/null", ...inject, ...child], {
    encoding: "utf8",
    // The compile cache would create additional folders and files.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  if (status === 0) return null;
  // strace exits as the traced process did.
  expect(signal ?? status, stdout).toBe("SIGKILL");
  const [pid = "", ...ids] = stdout.split("\n").slice(0, -1);
  return { ids, pid: Number(pid) };
}

/**
 * CR-07. The order of a run: create the folders of the run and of the artifact (mkdir), sync its bytes (fsync), put its name
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
