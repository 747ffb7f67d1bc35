import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { knackHome } from "../config/load.ts";
import { KnackError, tryOr } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import { isGone, ownProcess, parentOf, startOf } from "../shared/process/process-mark.ts";
import { namesIn, readRegularFile } from "../shared/regular-file.ts";
import { writeWhole } from "../shared/write-whole.ts";

const NAMES = z.array(z.string()).readonly();
const CALLER = z.strictObject({
  requestId: z.string(),
  skill: z.string().nullable(),
  /** `null` at the outermost request, whose target is at depth 0. */
  depth: z.int().min(0).nullable(),
  stack: NAMES,
  visitedNames: NAMES,
  /** Paths. */
  visited: NAMES,
  rootLoaded: z.boolean(),
  policy: z.strictObject({
    forbid_root_reload: z.boolean(),
    max_depth: z.int().min(0),
    allow_reentry: z.boolean(),
  }),
  /** Paths of every skill that the configured root name could mean. */
  rootSkills: NAMES,
});

/** Who dispatches: a skill in a tree, or nobody yet. Names are for people, paths identify. */
export type DispatchCaller = Readonly<z.infer<typeof CALLER>>;

/**
 * A file for as long as a runner runs: what its agent dispatches continues from there, so it cannot leave its depth and
 * visited skills behind. Found by the process that Knack started, else by the variable.
 */
const PROCESS = z.strictObject({ pid: z.int(), started: z.string() });
const FRAME = z.strictObject({
  caller: CALLER,
  /** Where the numbers of processes mean the same. */
  space: z.string(),
  dispatcher: PROCESS,
  /** `null` just before it starts. */
  runner: PROCESS.nullable(),
});
type RunningFrame = z.infer<typeof FRAME>;

/** Inherited by everything that a runner starts: the marks of all runners around, outermost first. */
export const MARK = "KNACK_RUNNER_MARK";
const MAX_BYTES = 1024 * 1024;

export function framesFolder(env: NodeJS.ProcessEnv, home: string): string {
  return join(knackHome(env, home), "frames");
}

export function withMark(around: string | undefined, mark: string): string {
  return [...marksIn(around), mark].join(":");
}

function marksIn(value = ""): string[] {
  return value.split(":").filter((mark) => mark !== "");
}

/** Throws where it cannot be written: without it an agent could go in circles. */
export class FrameFile {
  readonly mark = randomUUID();
  readonly #file: string;
  readonly #caller: DispatchCaller;

  constructor(folder: string, caller: DispatchCaller) {
    this.#file = join(folder, `${this.mark}.json`);
    this.#caller = caller;
    this.#write(null);
  }

  /** Whatever this process starts is inside the frame, whatever its environment. */
  bindTo(pid: number): void {
    this.#write({ pid, started: startOf(pid) });
  }

  [Symbol.dispose](): void {
    rmSync(this.#file, { force: true });
  }

  #write(runner: RunningFrame["runner"]): void {
    const { space, pid, started } = ownProcess();
    const frame: RunningFrame = { caller: this.#caller, space, dispatcher: { pid, started }, runner };
    const code = writeWhole(this.#file, JSON.stringify(frame));
    if (code !== undefined)
      throw new KnackError(
        "CONFLICT",
        `The file of the running agent, ${this.#file}, cannot be written (${code}).`,
      );
  }
}

/** The caller that a dispatch of this process continues from. Throws where a runner is around that is unknown here. */
export function callerAround(folder: string, env: NodeJS.ProcessEnv): DispatchCaller | undefined {
  const frames = readFrames(folder);
  const { space } = ownProcess();
  const here = [...frames.values()].filter((frame) => frame.space === space);
  const marks = marksIn(env[MARK]);
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) {
    const started = startOf(pid);
    const isThis = (one: RunningFrame["runner"]): boolean => one?.pid === pid && one.started === started;
    const found =
      here.find(({ runner }) => isThis(runner)) ??
      here.find(({ runner, dispatcher }) => runner === null && isThis(dispatcher));
    if (found) return found.caller;
    // A child may have cleared the variable; its parent still has it.
    if (marks.length === 0) marks.push(...marksOf(pid));
  }
  if (marks.length === 0) return undefined;
  const known = frames.get(marks.findLast((mark) => frames.has(mark)) ?? "");
  if (known) return known.caller;
  throw new KnackError(
    "ACCESS_DENIED",
    `An agent that Knack started runs this (${MARK}), but nothing is known of it here. Dispatch from outside of the agent, with the same home folder.`,
  );
}

/** Known here or not. */
export function isAgentAround(env: NodeJS.ProcessEnv, home: string): boolean {
  try {
    return callerAround(framesFolder(env, home), env) !== undefined;
  } catch (error) {
    if (error instanceof KnackError) return true;
    throw error;
  }
}

function marksOf(pid: number): string[] {
  // None where it is another user's, gone, or on a system without /proc.
  const variables = tryOr(() => readFileSync(`/proc/${pid}/environ`, "latin1"), "").split("\0");
  return marksIn(variables.find((line) => line.startsWith(`${MARK}=`))?.slice(MARK.length + 1));
}

/** By mark. Files of dispatchers that were killed are removed. */
function readFrames(folder: string): Map<string, RunningFrame> {
  const frames = new Map<string, RunningFrame>();
  for (const name of namesIn(folder).filter((one) => one.endsWith(".json"))) {
    const path = join(folder, name);
    const content = readRegularFile(path, MAX_BYTES, false);
    if ("fault" in content) continue;
    const { data } = FRAME.safeParse(parseJson(content.bytes.toString("utf8")));
    if (data?.space === ownProcess().space && isGone(data.dispatcher)) rmSync(path, { force: true });
    else if (data) frames.set(name.slice(0, -".json".length), data);
  }
  return frames;
}
