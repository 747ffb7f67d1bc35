import { statSync, symlinkSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { systemCode } from "@knack/core/files";
import { BoundedLog } from "../isolate/channel.ts";
import { execute } from "../isolate/execute.ts";
import { EXECUTION_LIMITS } from "../isolate/execution.ts";
import type { Guest, GuestAnswer } from "../isolate/guest.ts";
import type { Executable } from "../registry/register.ts";
import type { SkillFunction, SkillInput } from "../shared/skill-function.ts";
import { type ClaimedRun, faultOf, type Returned, SkillFault } from "./claimed-run.ts";
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

interface Call {
  /** The built-in's own name; the entry may have another. */
  readonly name: string;
  readonly run: SkillFunction;
  readonly prepared: PreparedRun;
  readonly inputs: readonly SkillInput[];
  readonly artifactsDir: string;
}

/** Calls a function of Knack's own: in a process for it alone, or in this one where it parses nothing. */
export async function callBuiltin(call: Call, guest: Guest | null, held: ClaimedRun): Promise<Returned> {
  const lines = new BoundedLog(EXECUTION_LIMITS.maxLogBytes);
  const log = (line: string): void => {
    lines.push(Buffer.from(`${line}\n`));
    held.onLog?.(line);
  };
  const answer = guest ? await askGuest(call, guest, held, log) : await callHere(call, held, log);
  held.signal.throwIfAborted();
  const ended = { isolation: "builtin", logTail: lines.text().trimEnd() } as const;
  if ("code" in answer) return { ...ended, error: { code: answer.code, message: answer.message } };
  try {
    // Those that were copied were held to their digest then.
    refuseChanged(call.prepared.inputs.filter(({ within }) => within === null));
    return { ...ended, output: answer.output };
  } catch (error) {
    return { ...ended, error: faultOf(error) };
  }
}

function askGuest(
  { name, prepared, inputs, artifactsDir }: Call,
  guest: Guest,
  { run, timeoutMs, signal }: ClaimedRun,
  log: (line: string) => void,
): Promise<GuestAnswer> {
  const context = { inputs, params: prepared.params, artifactsDir, taskId: run.taskId ?? "adhoc" };
  return guest.run({ skill: name, context }, { timeoutMs, signal, log });
}

async function callHere(
  { run, prepared, inputs, artifactsDir }: Call,
  held: ClaimedRun,
  log: (line: string) => void,
): Promise<GuestAnswer> {
  const limit = AbortSignal.timeout(held.timeoutMs);
  const signal = AbortSignal.any([held.signal, limit]);
  const { params } = prepared;
  const taskId = held.run.taskId ?? "adhoc";
  try {
    return { output: await run({ inputs, params, artifactsDir, taskId, signal, log }) };
  } catch (error) {
    if (!limit.aborted) return faultOf(error);
    return { code: "SKILL_TIMEOUT", message: `Timed out after ${held.timeoutMs / 1000} seconds.` };
  }
}

function refuseChanged(inputs: readonly PreparedInput[]): void {
  for (const { file, path, stats } of inputs) {
    const now = statSync(file, { throwIfNoEntry: false });
    if (!now || !isInputUnchanged(stats, now))
      throw new SkillFault("SKILL_BAD_INPUT", `${path} changed while it was being read; run it again.`);
  }
}

/** Copies, made of the very bytes that were hashed, by the descriptor that was checked. */
export async function copyInputs(
  inputs: readonly PreparedInput[],
  folder: string,
  signal: AbortSignal,
): Promise<SkillInput[]> {
  const made: SkillInput[] = [];
  for (const [place, input] of inputs.entries()) {
    const { file, path, sha256, within } = input;
    // A folder each: two inputs may have one name, and a function may look at the name's ending.
    const own = join(folder, String(place + 1));
    await mkdir(own, { mode: 0o700 });
    const copy = join(own, basename(file));
    const copied = await hashInput(file, { signal, into: copy, within });
    if (copied.sha256 !== sha256)
      throw new SkillFault("SKILL_BAD_INPUT", `${path} changed while it was being read; run it again.`);
    made.push(givenAs(copy, input));
  }
  return made;
}

/** What runs must be what the key and the trust are of: asked right before and right after, the files are the same ones. */
async function refuseTouched(prepared: PreparedRun): Promise<void> {
  const now = await digestCode(prepared);
  const { skill, code } = prepared;
  if (now.digest === code.digest && now.stamp === code.stamp) return;
  throw new SkillFault("SKILL_FAILED", `The code of ${skill.name} changed during the run; run it again.`);
}

export async function callProcess(
  { path, language, functionName }: Extract<Executable, { kind: "file" }>,
  prepared: PreparedRun,
  inputs: readonly SkillInput[],
  dirs: { readonly artifactsDir: string; readonly inputsDir: string },
  { run, projectRoot, signal, timeoutMs, onLog, allowNone, lineage }: ClaimedRun,
): Promise<Returned> {
  await refuseTouched(prepared);
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
    allow: [
      "bubblewrap",
      "node-permission",
      ...(allowNone.includes(prepared.skill.name) ? ["none" as const] : []),
    ],
    lineage: writeLineage([...lineage, ownOf(prepared)]),
    signal,
    ...(onLog ? { onLog } : {}),
  });
  signal.throwIfAborted();
  const { isolation, log: logTail } = result;
  await refuseTouched(prepared);
  if (result.ok) return { isolation, logTail, output: result.output };
  return { isolation, logTail, error: { code: result.code, message: result.message } };
}
