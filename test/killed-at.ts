import { spawnSync } from "node:child_process";
import { expect } from "vitest";

/** Linux alone lets a process be killed at one of its system calls, by strace. */
export const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

/**
 * Runs a program of Node that is killed at its n-th system call of this name, before the call is done; `null` if it made
 * fewer and finished. Answers what it had printed.
 */
export function killedAt(
  call: string,
  n: number,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): string | null {
  const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=SIGKILL:when=${n}`];
  const { stdout, stderr, signal, status } = spawnSync(
    "strace",
    ["-qq", "-o", "/dev/null", ...inject, process.execPath, ...args],
    { ...options, encoding: "utf8" },
  );
  if (status === 0) return null;
  // strace exits as the traced process did.
  expect(signal ?? status, `${stdout}${stderr}`).toBe("SIGKILL");
  return stdout;
}
