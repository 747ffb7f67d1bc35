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
 * Writable memory that a runtime maps before the skill runs: V8 alone reserves 512 MB for machine code and uses little of
 * it. So the kernel's limit is coarse, and the watchdog on memory in use is precise.
 */
const MAPPED_AT_START_MB = { node: 1024, python: 256 } as const;

/** The kernel counts threads as processes, and Node has a dozen. */
const THREADS_PER_PROCESS = 16;

/**
 * The command with the kernel's limits around it, set by a shell: every system has one, not every system has `prlimit`. A
 * limit that the system does not support, or that is already lower, stays as it is.
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
    // The real time limit is by the clock; this CPU limit ends a busy loop whose host has died.
    `-t ${cpuSeconds}`,
  ].map((limit) => `ulimit ${limit} 2>/dev/null`);
  if (inNamespace && countsProcessesByNamespace()) {
    const tasks = limits.maxProcesses * THREADS_PER_PROCESS;
    set.push(`{ ulimit -u ${tasks} || ulimit -p ${tasks}; } 2>/dev/null`);
  }
  return ["/bin/sh", "-c", `${set.join("; ")}; exec "$@"`, "sh", ...command];
}

/** Before Linux 5.14 this limit counted all processes of the user, which says nothing about a skill. */
function countsProcessesByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 14));
}
