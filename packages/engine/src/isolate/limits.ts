import { release } from "node:os";
import { type Bubblewrap, bubblewrapHere } from "./bubblewrap.ts";
import { confinementHere } from "./confinement.ts";
import type { Execution, Isolation, ProcessLimits } from "./execution.ts";

/** What a runtime maps before the skill runs. So the kernel's limit is coarse; that of the watchdog is precise. */
const MAPPED_AT_START_MB = { node: 1024, python: 256 } as const;

/** The kernel counts threads as processes, and Node has a dozen. */
const THREADS_PER_PROCESS = 16;

/** The command with the kernel's limits, set by a shell, as not every system has `prlimit`. A lower limit stays. */
export function withLimits(
  command: readonly [string, ...string[]],
  limits: Pick<ProcessLimits, "timeoutMs" | "memoryMb" | "maxArtifactBytes" | "maxProcesses">,
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

/** The levels available on this machine for JavaScript and TypeScript; bubblewrap is probed once, by running it. */
export async function isolationLevel(): Promise<{ level: Isolation; detail: string }> {
  const bubblewrap = await bubblewrapHere();
  if (bubblewrap.works)
    return { level: "bubblewrap", detail: `${bubblewrap.version} (${bubblewrap.program})` };
  const kernel = await confinementHere();
  const how = kernel.works
    ? `Node's permission model, Landlock (ABI ${kernel.abi}) and a filter of system calls`
    : `Node's permission model only, which stops accidents, not attackers (${kernel.reason})`;
  return { level: "node-permission", detail: `${bubblewrap.reason}; skills run under ${how}` };
}

/** What gives a machine isolation: bubblewrap is for Linux alone. */
export function isolationAdvice(platform: NodeJS.Platform = process.platform): string {
  return platform === "linux"
    ? 'Install bubblewrap (package "bubblewrap") on this machine'
    : "Run Knack on Linux, as in a container or a virtual machine";
}

/** The strongest level that the machine supports for this language and the caller accepts; otherwise why there is none. */
export async function chooseLevel(
  execution: Pick<Execution, "language" | "allow">,
): Promise<
  | { level: "bubblewrap"; bubblewrap: Bubblewrap & { works: true } }
  | { level: "node-permission" | "none" }
  | { refused: string }
> {
  const { language, allow } = execution;
  const bubblewrap = await bubblewrapHere();
  if (bubblewrap.works && allow.includes("bubblewrap")) return { level: "bubblewrap", bubblewrap };
  const weaker = language === "python" ? "none" : "node-permission";
  if (allow.includes(weaker)) return { level: weaker };
  const name = language === "python" ? "A skill in Python" : "This skill";
  if (bubblewrap.works) {
    const allowed = allow.join(", ") || "nothing";
    return { refused: `${name} cannot run: bubblewrap works here but is not allowed (allowed: ${allowed}).` };
  }
  const install = `${name} needs isolation, and ${bubblewrap.reason}. ${isolationAdvice()}`;
  if (language !== "python") return { refused: `${install}.` };
  const byName = "isolation: { allowNone: [<name of the skill>] }";
  return {
    refused: `${install}, or let this skill run without isolation: ${byName} in your own ~/.knack/config.yaml.`,
  };
}
