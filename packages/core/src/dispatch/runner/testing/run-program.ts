import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type RunFrameOptions, type RunnerResult, runFrame } from "../runner.ts";

interface Ran {
  readonly result: RunnerResult;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Runs a real program of Node, or a command, with a frame. */
export async function run(
  program: string,
  options: Partial<RunFrameOptions> & { frame?: string; argv?: readonly string[] } = {},
): Promise<Ran> {
  const { frame = "the frame", argv = [process.execPath, "-e", program], ...more } = options;
  const out: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const result = await runFrame({ name: "test", argv }, frame, {
    cwd: import.meta.dirname,
    env: process.env,
    timeoutMs: 20_000,
    onOutput: (stream, bytes) => out[stream].push(bytes),
    ...more,
  });
  return { result, stdout: Buffer.concat(out.stdout), stderr: Buffer.concat(out.stderr) };
}

export const DONE: RunnerResult = { exit_code: 0, signal: null, timed_out: false };

/** Whether the process whose number a file holds is gone; one that nobody waited for yet is gone too. */
export async function isGone(file: string): Promise<boolean> {
  for (let tries = 0; tries < 200 && !existsSync(file); tries++) await wait(20);
  const pid = readFileSync(file, "utf8");
  for (let tries = 0; tries < 100; tries++) {
    if (!existsSync(`/proc/${pid}`) || /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
      return true;
    await wait(20);
  }
  return false;
}

/** Starts a process that leaves the group, and writes its number. */
export const DETACH = (file: string): string =>
  `const c = require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: "inherit" }); c.unref(); require("node:fs").writeFileSync(${JSON.stringify(file)}, String(c.pid));`;
