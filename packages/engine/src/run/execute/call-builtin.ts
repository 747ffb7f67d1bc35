import { statSync, symlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { systemCode } from "@knack/core/internal/engine";
import type { Guest, GuestAnswer } from "../../isolate/guest/guest.ts";
import { BoundedLog } from "../../isolate/supervise/bounded-log.ts";
import type { SkillFunction, SkillInput } from "../../shared/skill-function.ts";
import { isUnchanged } from "../prepare/hash-input.ts";
import type { PreparedInput, PreparedRun } from "../prepare/prepare-run.ts";
import { faultOf, MAX_LOG_BYTES, type Returned, SkillFault } from "./executed.ts";
import type { ClaimedRun } from "./held.ts";

/** Built-in skills read the files where they are, and a look afterwards holds them to the bytes that were hashed. */
export function inputsInPlace(inputs: readonly PreparedInput[]): SkillInput[] {
  return inputs.map(({ role, kind, file, sha256, size }) => ({
    role,
    kind,
    path: file,
    sha256,
    size_bytes: size,
  }));
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
  const lines = new BoundedLog(MAX_LOG_BYTES);
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
    if (!now || !isUnchanged(stats, now))
      throw new SkillFault("SKILL_BAD_INPUT", `${path} changed while it was being read; run it again.`);
  }
}
