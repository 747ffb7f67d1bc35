import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProducedEvidence, SkillInput } from "../../shared/skill-function.ts";
import type { PreparedInput, PreparedRun } from "../prepare/prepare-run.ts";
import { callBuiltin, inputsForGuest, inputsInPlace } from "./call-builtin.ts";
import { callProcess, copyInputs } from "./call-process.ts";
import { checkOutput } from "./check-output.ts";
import { type Executed, faultOf, type KeptEdit, type RunError, SkillFault } from "./executed.ts";
import type { ClaimedRun } from "./held.ts";
import { placeOutputs } from "./place-outputs.ts";

/** Executes a skill's function on its inputs and places its artifacts. A failure is an outcome, not an exception. */
export async function executeSkill(prepared: PreparedRun, held: ClaimedRun): Promise<Executed> {
  const artifactsDir = join(held.folder, "artifacts");
  const inputsDir = join(held.folder, "inputs");
  const { executable } = prepared.implementation;
  // The code of others gets copies; so does a built-in skill of files that could be swapped for others after the check.
  const copies = executable.kind === "file" || prepared.inputs.some(({ within }) => within !== null);
  // Each costs a sync of the record more time than the record itself.
  const dirs = copies ? [held.folder, artifactsDir, inputsDir] : [held.folder, artifactsDir];
  if (copies || held.guest || (executable.kind === "builtin" && executable.writes))
    for (const dir of dirs) mkdirSync(dir, { mode: 0o700 });
  let ended: Pick<Executed, "isolation" | "logTail"> = {
    isolation: executable.kind === "builtin" ? "builtin" : "none",
    logTail: "",
  };
  const kept: KeptEdit[] = [];
  const failed = (error: RunError): Executed => ({ ...ended, artifacts: [], evidences: [], kept, error });
  try {
    const inputs = copies
      ? await copyInputs(prepared.inputs, inputsDir, held.signal)
      : await inputsForBuiltin(prepared, held.guest);
    const returned =
      executable.kind === "builtin"
        ? await callBuiltin({ ...executable, prepared, inputs, artifactsDir }, held.guest, held)
        : await callProcess(executable, prepared, inputs, { artifactsDir, inputsDir }, held);
    ended = { isolation: returned.isolation, logTail: returned.logTail };
    if ("error" in returned) return failed(returned.error);
    const output = checkOutput(returned.output, prepared.skill);
    if ("problem" in output) throw new SkillFault("SKILL_BAD_OUTPUT", output.problem);
    if (output.error) return failed(output.error);
    const artifacts = await placeOutputs(output.artifacts, prepared, artifactsDir, held, kept);
    const evidences = askedPaths(output.evidences, inputs, prepared.inputs);
    return { ...ended, artifacts, evidences, kept, error: null };
  } catch (error) {
    held.signal.throwIfAborted();
    return failed(faultOf(error));
  }
}

async function inputsForBuiltin({ inputs }: PreparedRun, guest: ClaimedRun["guest"]): Promise<SkillInput[]> {
  return guest ? inputsForGuest(inputs, guest.folder) : inputsInPlace(inputs);
}

/** A function sees its inputs where they are for it; the record says where they were asked for. */
function askedPaths(
  evidences: readonly ProducedEvidence[],
  inputs: readonly SkillInput[],
  asked: readonly PreparedInput[],
): ProducedEvidence[] {
  const paths = new Map(inputs.map(({ path }, place) => [path, asked[place]?.path ?? path]));
  return evidences.map(({ kind, data }) => ({
    kind,
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        typeof value === "string" ? (paths.get(value) ?? value) : value,
      ]),
    ),
  }));
}
