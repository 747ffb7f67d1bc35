import { release } from "node:os";
import type { Execution } from "./execution.ts";

export interface ProcessLimits {
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  readonly maxLogBytes: number;
  readonly memoryMb: number;
  readonly maxArtifactBytes: number;
  readonly maxArtifactFiles: number;
  readonly maxProcesses: number;
}

export function limitsOf(execution: Execution): ProcessLimits {
  const { limits } = execution;
  return {
    timeoutMs: limits.timeoutMs,
    maxResultBytes: limits.maxResultBytes,
    maxLogBytes: limits.maxLogBytes,
    memoryMb: limits.memoryMb ?? 2048,
    maxArtifactBytes: limits.maxArtifactBytes ?? 1024 ** 3,
    maxArtifactFiles: 10_000,
    maxProcesses: limits.maxProcesses ?? 64,
  };
}

/**
 * Writable memory that a runtime maps before a line of the skill runs: V8 alone sets 512 MB aside for machine code, of which
 * it touches little. So the kernel's limit is coarse, and the watch over memory in use is the fine one.
 */
const MAPPED_AT_START_MB = { node: 1024, python: 256 } as const;

/** A thread counts as a process for the kernel, and Node has a dozen. */
const THREADS_PER_PROCESS = 16;

/**
 * The command with the kernel's limits around it, as a shell sets them: every system has one, `prlimit` not. A limit that the
 * system does not know, or that is already lower, stays as it was.
 */
export function withLimits(
  command: readonly [string, ...string[]],
  limits: ProcessLimits,
  runtime: "node" | "python",
  inNamespace: boolean,
): [string, ...string[]] {
  if (process.platform === "win32") return [...command];
  const cpuSeconds = Math.ceil(limits.timeoutMs / 1000) * 4 + 10;
  const set = [
    "-c 0",
    `-d ${(limits.memoryMb + MAPPED_AT_START_MB[runtime]) * 1024}`,
    `-f ${Math.ceil(limits.maxArtifactBytes / 512)}`,
    // The time limit is the clock's; this one ends a busy loop whose host has died.
    `-t ${cpuSeconds}`,
  ].map((limit) => `ulimit ${limit} 2>/dev/null`);
  if (inNamespace && countsProcessesByNamespace()) {
    const tasks = limits.maxProcesses * THREADS_PER_PROCESS;
    set.push(`{ ulimit -u ${tasks} || ulimit -p ${tasks}; } 2>/dev/null`);
  }
  return ["/bin/sh", "-c", `${set.join("; ")}; exec "$@"`, "sh", ...command];
}

/** Before Linux 5.14 the number of processes was counted over everything the user runs, which says nothing about a skill. */
function countsProcessesByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 14));
}
