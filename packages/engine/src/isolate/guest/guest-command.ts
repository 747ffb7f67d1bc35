import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SkillContext } from "../../shared/typed-skill.ts";
import type { IsolatedCommand } from "../command.ts";
import { EXECUTION_LIMITS, environmentOf } from "../execution.ts";
import { withLimits } from "../limits.ts";

/** Memory limit of a guest in total. Its own watchdog checks every 10 ms; the kernel's limit is a little higher. */
export const GUEST_MEMORY_MB = 448;
/** Lower than the kernel's limit: V8's message about a full heap is clearer than a kill by the kernel. */
const HEAP_MB = 320;
const KERNEL_MB = 512;
/** No limit here: the host enforces the time limit of a run, and a guest may wait for a long time before. */
const DAY_MS = 24 * 60 * 60 * 1000;

const isSource = import.meta.url.endsWith(".ts");
const entry = fileURLToPath(new URL(`./guest-process${isSource ? ".ts" : ".js"}`, import.meta.url));

/** The process for one file: it can read its own code and this folder, write to one folder inside it, and start nothing. */
export function guestCommand(start: GuestStart, folder: string): IsolatedCommand {
  const command: [string, ...string[]] = [
    process.execPath,
    "--permission",
    // Node treats a path that does not exist yet as a file unless the pattern ends with `*`.
    ...[codePlace(), folder].map((path) => `--allow-fs-read=${join(path, "*")}`),
    `--allow-fs-write=${join(folder, "artifacts", "*")}`,
    // For the watchdog thread, which has the same rights.
    "--allow-worker",
    "--no-experimental-sqlite",
    "--disable-sigusr1",
    `--max-old-space-size=${HEAP_MB}`,
    // A small heap would get a small young generation, and a long PDF would spend a fifth more time on garbage collection.
    "--min-semi-space-size=16",
    "--max-semi-space-size=16",
    "--no-warnings",
    ...(isSource ? ["--conditions=knack-source"] : []),
    entry,
    JSON.stringify(start),
  ];
  const { maxArtifactBytes } = EXECUTION_LIMITS;
  const limits = { timeoutMs: DAY_MS, memoryMb: KERNEL_MB, maxArtifactBytes, maxProcesses: 1 };
  const [program, ...args] = withLimits(command, limits, "node", false);
  return {
    program,
    args,
    env: environmentOf({}, folder, null),
    cwd: process.platform === "win32" ? dirname(process.execPath) : "/",
    filter: null,
  };
}

/** The bundle's folder; from source the whole checkout, because packages are found in parent folders. */
function codePlace(): string {
  const own = dirname(entry);
  if (!isSource) return own;
  let root = own;
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, "node_modules"))) root = folder;
  return root;
}

export interface GuestStart {
  /** The host's process: the guest must not outlive it. */
  readonly host: number;
  readonly nonce: string;
  readonly maxBytes: number;
  readonly maxLogBytes: number;
  /** Modules to load in advance: for a file with this extension, `*` for all. */
  readonly preload: string;
}

export interface GuestRequest {
  readonly skill: string;
  readonly context: Omit<SkillContext, "signal" | "log">;
}
