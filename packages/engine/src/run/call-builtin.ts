import { statSync } from "node:fs";
import type { SkillFunction, SkillInput } from "../skill-function.ts";
import { faultOf, MAX_LOG_BYTES, type Returned, SkillFault } from "./executed.ts";
import { isUnchanged } from "./hash-input.ts";
import type { Held } from "./held.ts";
import type { PreparedInput, PreparedRun } from "./prepare-run.ts";

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

/** Calls a function of Knack's own, in this process. */
export async function callBuiltin(
  run: SkillFunction,
  prepared: PreparedRun,
  inputs: readonly SkillInput[],
  artifactsDir: string,
  held: Held,
): Promise<Returned> {
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
    held.onLog?.(line);
  };
  const ended = (): { isolation: "builtin"; logTail: string } => ({
    isolation: "builtin",
    logTail: lines.join("\n").slice(-MAX_LOG_BYTES),
  });
  const limit = AbortSignal.timeout(held.timeoutMs);
  const signal = AbortSignal.any([held.signal, limit]);
  const { params } = prepared;
  try {
    const output = await run({
      inputs,
      params,
      artifactsDir,
      taskId: held.run.taskId ?? "adhoc",
      signal,
      log,
    });
    refuseChanged(prepared.inputs.filter(({ within }) => within === null));
    return { ...ended(), output };
  } catch (error) {
    held.signal.throwIfAborted();
    const timeout = {
      code: "SKILL_TIMEOUT",
      message: `It took longer than ${held.timeoutMs / 1000} seconds.`,
    };
    return { ...ended(), error: limit.aborted ? timeout : faultOf(error) };
  }
}

function refuseChanged(inputs: readonly PreparedInput[]): void {
  for (const { file, path, stats } of inputs) {
    const now = statSync(file, { throwIfNoEntry: false });
    if (!now || !isUnchanged(stats, now))
      throw new SkillFault("SKILL_BAD_INPUT", `${path} was changed while it was read.`);
  }
}
