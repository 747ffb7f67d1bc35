import { statSync, symlinkSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { systemCode } from "@knack/core/files";
import { BoundedLog } from "../isolate/channel.ts";
import { execute } from "../isolate/execute.ts";
import { EXECUTION_LIMITS } from "../isolate/execution.ts";
import type { GuestAnswer } from "../isolate/guest.ts";
import type { Executable } from "../registry/register.ts";
import type { SkillContext, SkillFunction, SkillInput } from "../shared/skill-function.ts";
import { type ClaimedRun, faultOf, type Returned, type RunError } from "./claimed-run.ts";
import { hashInput, isInputUnchanged } from "./hash-input.ts";
import { ownOf, writeLineage } from "./lineage.ts";
import { digestCode, type PreparedInput, type PreparedRun } from "./prepare-run.ts";

/** Built-in skills read the files where they are, and a look afterwards holds them to the bytes that were hashed. */
export function inputsInPlace(inputs: readonly PreparedInput[]): SkillInput[] {
  return inputs.map((input) => givenAs(input.file, input));
}

/** An input as the function sees it, at a path. */
function givenAs(path: string, { role, kind, sha256, size }: PreparedInput): SkillInput {
  return { role, kind, path, sha256, size_bytes: size };
}

/**
 * A guest may read one folder. A link there, which it cannot make or change itself, gives it this one file besides: a copy of
 * a large file would take longer than reading it.
 */
export async function inputsForGuest(
  inputs: readonly PreparedInput[],
  folder: string,
): Promise<SkillInput[]> {
  const given: SkillInput[] = [];
  for (const [place, input] of inputsInPlace(inputs).entries()) {
    const path = join(folder, `${place + 1}${extname(input.path)}`);
    try {
      symlinkSync(input.path, path);
    } catch (error) {
      // Windows lets few users make links.
      if (systemCode(error) !== "EPERM") throw error;
      await copyFile(input.path, path);
    }
    given.push({ ...input, path });
  }
  return given;
}

/** Calls a function of Knack's own: in a process for it alone, or in this one where it parses nothing. */
export async function callBuiltin(
  { name, run }: Extract<Executable, { kind: "builtin" }>,
  prepared: PreparedRun,
  given: Pick<SkillContext, "inputs" | "artifactsDir">,
  held: ClaimedRun,
): Promise<Returned> {
  const { guest, signal, timeoutMs } = held;
  const lines = new BoundedLog(EXECUTION_LIMITS.maxLogBytes);
  const log = (line: string): void => {
    lines.push(Buffer.from(`${line}\n`));
    held.onLog?.(line);
  };
  const context = { ...given, params: prepared.params, taskId: held.run.taskId ?? "adhoc" };
  const answer = guest
    ? await guest.run({ skill: name, context }, { timeoutMs, signal, log })
    : await callHere(run, { ...context, signal, log }, timeoutMs);
  signal.throwIfAborted();
  const ended = { isolation: "builtin", logTail: lines.text().trimEnd() } as const;
  if ("code" in answer) return { ...ended, error: { code: answer.code, message: answer.message } };
  // Those that were copied were held to their digest then.
  const changed = prepared.inputs
    .filter(({ within }) => within === null)
    .find(({ file, stats }) => !isInputUnchanged(stats, statSync(file, { throwIfNoEntry: false })));
  return changed ? { ...ended, error: changedInput(changed) } : { ...ended, output: answer.output };
}

async function callHere(run: SkillFunction, context: SkillContext, timeoutMs: number): Promise<GuestAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([context.signal, limit]);
  try {
    return { output: await run({ ...context, signal }) };
  } catch (error) {
    if (!limit.aborted) return faultOf(error);
    return { code: "SKILL_TIMEOUT", message: `Timed out after ${timeoutMs / 1000} seconds.` };
  }
}

function changedInput({ path }: PreparedInput): RunError {
  return { code: "SKILL_BAD_INPUT", message: `${path} changed while it was being read; run it again.` };
}

/** Copies, made of the very bytes that were hashed, by the descriptor that was checked. */
export async function copyInputs(
  inputs: readonly PreparedInput[],
  folder: string,
  signal: AbortSignal,
): Promise<SkillInput[] | RunError> {
  const made: SkillInput[] = [];
  for (const [place, input] of inputs.entries()) {
    const { file, sha256, within } = input;
    // A folder each: two inputs may have one name, and a function may look at the name's ending.
    const own = join(folder, String(place + 1));
    await mkdir(own, { mode: 0o700 });
    const copy = join(own, basename(file));
    const copied = await hashInput(file, { signal, into: copy, within });
    if (copied.sha256 !== sha256) return changedInput(input);
    made.push(givenAs(copy, input));
  }
  return made;
}

/** What runs must be what the key and the trust are of: asked right before and right after, the files are the same ones. */
async function isTouched(prepared: PreparedRun): Promise<boolean> {
  const now = await digestCode(prepared);
  return now.digest !== prepared.code.digest || now.stamp !== prepared.code.stamp;
}

export async function callProcess(
  { path, language, functionName }: Extract<Executable, { kind: "file" }>,
  prepared: PreparedRun,
  { inputs, ...dirs }: Pick<SkillContext, "inputs" | "artifactsDir"> & { readonly inputsDir: string },
  { run, projectRoot, signal, timeoutMs, onLog, allowNone, lineage }: ClaimedRun,
): Promise<Returned> {
  const { name } = prepared.skill;
  const message = `The code of ${name} changed during the run; run it again.`;
  const touched = { isolation: "none", logTail: "", error: { code: "SKILL_FAILED", message } } as const;
  if (await isTouched(prepared)) return touched;
  const result = await execute({
    file: path,
    functionName,
    language,
    projectRoot,
    ...dirs,
    context: { inputs: [...inputs], params: prepared.params, taskId: run.taskId ?? "adhoc" },
    env: prepared.env,
    limits: { timeoutMs },
    // Python has no seat belt of its own: without bubblewrap it runs only where the user allowed that by name.
    allow: ["bubblewrap", "node-permission", ...(allowNone.includes(name) ? ["none" as const] : [])],
    lineage: writeLineage([...lineage, ownOf(prepared)]),
    signal,
    ...(onLog ? { onLog } : {}),
  });
  signal.throwIfAborted();
  const { isolation, log: logTail } = result;
  if (await isTouched(prepared)) return touched;
  if (result.ok) return { isolation, logTail, output: result.output };
  return { isolation, logTail, error: { code: result.code, message: result.message } };
}
