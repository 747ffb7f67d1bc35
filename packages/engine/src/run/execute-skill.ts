import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { systemCode } from "@knack/core/files";
import { fewOf, isRecord, pluralize } from "@knack/core/text";
import { placeArtifact } from "../artifacts/place-artifact.ts";
import { BoundedLog } from "../isolate/channel.ts";
import { execute } from "../isolate/execute.ts";
import { EXECUTION_LIMITS } from "../isolate/execution.ts";
import type { GuestAnswer } from "../isolate/guest.ts";
import { fillPathTemplate } from "../registry/path-template.ts";
import type { Executable } from "../registry/typed-skills.ts";
import type {
  ProducedArtifact,
  ProducedEvidence,
  SkillContext,
  SkillFunction,
  SkillInput,
  SkillOutput,
  TypedSkill,
} from "../shared/typed-skill.ts";
import type { NewArtifact } from "../store/runs/outputs.ts";
import {
  type ClaimedRun,
  type Executed,
  faultOf,
  type KeptEdit,
  type Returned,
  type RunError,
} from "./claimed-run.ts";
import { hashInput, isInputUnchanged } from "./hash-input.ts";
import { ownOf, writeLineage } from "./lineage.ts";
import { digestCode, type PreparedInput, type PreparedRun } from "./prepare-run.ts";

/** Built-in skills read the files where they are, and a look afterwards holds them to the bytes that were hashed. */
function inputsInPlace(inputs: readonly PreparedInput[]): SkillInput[] {
  return inputs.map((input) => givenAs(input.file, input));
}

function givenAs(path: string, { role, kind, sha256, size }: PreparedInput): SkillInput {
  return { role, kind, path, sha256, size_bytes: size };
}

/** A guest reads one folder; a link there gives it this file besides. To copy a large one takes longer than reading it. */
async function inputsForGuest(inputs: readonly PreparedInput[], folder: string): Promise<SkillInput[]> {
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
async function callBuiltin(
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
    return { code: "SKILL_TIMEOUT", message: `Timed out after ${pluralize(timeoutMs / 1000, "second")}.` };
  }
}

function changedInput({ path }: PreparedInput): RunError {
  return { code: "SKILL_BAD_INPUT", message: `${path} changed while it was being read; run it again.` };
}

/** Copies of the very bytes that were hashed, and a file for each confirmation, of what was confirmed. */
async function copyInputs({ inputs, confirmed }: PreparedRun, folder: string, signal: AbortSignal) {
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
  for (const [place, { role, text, sha256 }] of confirmed.entries()) {
    const path = join(folder, `confirmation-${place + 1}.json`);
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    made.push({ role, kind: "CONFIRMATION", path, sha256, size_bytes: Buffer.byteLength(text) });
  }
  return made;
}

/** What runs must be what the key and the trust are of: asked right before and right after, the files are the same ones. */
async function isTouched(prepared: PreparedRun): Promise<boolean> {
  const now = await digestCode(prepared);
  return now.digest !== prepared.code.digest || now.stamp !== prepared.code.stamp;
}

async function callProcess(
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

/** More outputs than this are a mistake of the function. */
const MAX_OUTPUTS = 1_000;

const RESULT_KEYS = ["status", "artifacts", "evidences", "error"];

/** What is wrong with what a function gave back, by document 003 §3.3 and by what its entry declares. */
function outputProblem(value: unknown, skill: TypedSkill): string | undefined {
  if (!isRecord(value)) return `it must return an object, found ${kindOf(value)}`;
  const { status, artifacts, evidences, error } = value;
  const isTold = isRecord(error) && typeof error.code === "string" && typeof error.message === "string";
  const lacking = RESULT_KEYS.filter((key) => value[key] === undefined);
  if (lacking.length > 0) {
    const own = isTold ? ` (its own error was ${error.code}: ${error.message})` : "";
    return `what it returned lacks ${fewOf(lacking)}; it needs all of ${RESULT_KEYS.join(", ")}${own}`;
  }
  if (status === "FAILED") return isTold ? undefined : 'a failure needs "error" with a code and a message';
  if (status !== "SUCCEEDED") return '"status" must be SUCCEEDED or FAILED';
  if (error !== null) return '"error" must be null when the status is SUCCEEDED';
  if (!Array.isArray(artifacts) || !Array.isArray(evidences))
    return '"artifacts" and "evidences" must be lists';
  const count = artifacts.length + evidences.length;
  if (count > MAX_OUTPUTS) return `it has ${count} outputs; at most ${MAX_OUTPUTS} are allowed`;
  for (const artifact of artifacts) {
    const problem = artifactProblem(artifact, skill);
    if (problem) return problem;
  }
  const names = artifacts.map(({ name }: ProducedArtifact) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return `the artifact "${twice}" is returned twice`;
  const missing = skill.outputs.artifacts.find(({ name }) => !names.includes(name));
  if (missing) return `the artifact "${missing.name}" is declared but was not returned`;
  for (const evidence of evidences) {
    const problem = evidenceProblem(evidence, skill);
    if (problem) return problem;
  }
  const said = new Set(evidences.map(({ kind }: ProducedEvidence) => kind));
  const unsaid = skill.outputs.evidences.find(({ kind }) => !said.has(kind));
  return unsaid && `the evidence "${unsaid.kind}" is declared but was not returned`;
}

function artifactProblem(artifact: unknown, { outputs }: TypedSkill): string | undefined {
  if (!isRecord(artifact)) return `an artifact must be an object, found ${kindOf(artifact)}`;
  for (const key of ["name", "path", "sha256", "format"])
    if (typeof artifact[key] !== "string")
      return `"${key}" of an artifact must be text, found ${kindOf(artifact[key])}`;
  const declared = outputs.artifacts.find(({ name }) => name === artifact.name);
  if (!declared) return `the artifact "${String(artifact.name)}" is not declared`;
  if (declared.format !== artifact.format)
    return `the artifact "${declared.name}" is declared as ${declared.format}, not ${String(artifact.format)}`;
  return undefined;
}

function evidenceProblem(evidence: unknown, { outputs }: TypedSkill): string | undefined {
  if (!isRecord(evidence) || !isRecord(evidence.data))
    return 'an evidence must be an object with "kind" and "data"';
  const declared = outputs.evidences.find(({ kind }) => kind === evidence.kind);
  if (!declared) return `the evidence "${String(evidence.kind)}" is not declared`;
  if (declared.fields.length === 0) return undefined;
  const found = Object.keys(evidence.data);
  const missing = declared.fields.filter((field) => !found.includes(field));
  const extra = found.filter((field) => !declared.fields.includes(field));
  if (missing.length > 0) return `the evidence "${declared.kind}" lacks ${fewOf(missing)}`;
  return extra.length > 0
    ? `the evidence "${declared.kind}" has ${fewOf(extra)}, which is not declared`
    : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

/** Puts what a function made where its entry says; where an artifact was lost, back to where it was. */
async function placeOutputs(
  artifacts: readonly ProducedArtifact[],
  { skill, key, inputs }: PreparedRun,
  artifactsDir: string,
  { run, before, projectRoot, isOurs, isTaken, leftovers }: ClaimedRun,
  /** Gets what was kept of a user's edits, also where a later artifact cannot be placed. */
  kept: KeptEdit[],
): Promise<NewArtifact[] | RunError> {
  const placed: NewArtifact[] = [];
  for (const { name, path: source, sha256, format } of artifacts) {
    const declared = skill.outputs.artifacts.find((artifact) => artifact.name === name);
    const filled = fillPathTemplate(declared?.pathTemplate ?? "", {
      task_id: run.taskId ?? "adhoc",
      input_sha256: inputs[0]?.sha256 ?? "none",
      run_id: run.id,
      key,
      name,
      skill: skill.name,
      format,
    });
    if ("code" in filled) return filled;
    const lost = before?.artifacts.find((artifact) => artifact.name === name);
    const target = lost?.path ?? filled.path;
    const replace = lost !== undefined && (await isOurs(lost.path));
    const result = await placeArtifact({
      projectRoot,
      artifactsDir,
      source,
      sha256,
      target,
      replace,
      leftovers,
      isTaken,
    });
    if ("code" in result) return result;
    kept.push(...(result.kept ?? []).map((one) => ({ path: result.path, kept_as: one })));
    placed.push({ name, path: result.path, sha256: result.sha256, size_bytes: result.size, format });
  }
  return placed;
}

/** Executes a skill's function on its inputs and places its artifacts. A failure is an outcome, not an exception. */
export async function executeSkill(prepared: PreparedRun, held: ClaimedRun): Promise<Executed> {
  const artifactsDir = join(held.folder, "artifacts");
  const inputsDir = join(held.folder, "inputs");
  const { executable } = prepared.implementation;
  // The code of others gets copies; so does a built-in skill of files that could be swapped for others after the check.
  const { inputs: files, confirmed } = prepared;
  const copies =
    executable.kind === "file" || confirmed.length > 0 || files.some(({ within }) => within !== null);
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
      ? await copyInputs(prepared, inputsDir, held.signal)
      : held.guest
        ? await inputsForGuest(files, held.guest.folder)
        : inputsInPlace(files);
    if ("code" in inputs) return failed(inputs);
    const returned =
      executable.kind === "builtin"
        ? await callBuiltin(executable, prepared, { inputs, artifactsDir }, held)
        : await callProcess(executable, prepared, { inputs, artifactsDir, inputsDir }, held);
    ended = { isolation: returned.isolation, logTail: returned.logTail };
    if ("error" in returned) return failed(returned.error);
    const problem = outputProblem(returned.output, prepared.skill);
    if (problem)
      return failed({ code: "SKILL_BAD_OUTPUT", message: `The function broke its contract: ${problem}.` });
    const { artifacts: made, evidences: said, error } = returned.output as SkillOutput;
    if (error) return failed({ code: error.code, message: error.message });
    const artifacts = await placeOutputs(made, prepared, artifactsDir, held, kept);
    if ("code" in artifacts) return failed(artifacts);
    const evidences = askedPaths(said, inputs, files);
    return { ...ended, artifacts, evidences, kept, error: null };
  } catch (error) {
    held.signal.throwIfAborted();
    return failed(faultOf(error));
  }
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
