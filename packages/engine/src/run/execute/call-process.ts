import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { execute } from "../../isolate/execute.ts";
import type { Executable } from "../../registry/registered.ts";
import type { SkillInput } from "../../shared/skill-function.ts";
import { ownOf, writeLineage } from "../lineage.ts";
import { digestCode } from "../prepare/digest-code.ts";
import { hashInput } from "../prepare/hash-input.ts";
import type { PreparedInput, PreparedRun } from "../prepare/prepare-run.ts";
import { MAX_LOG_BYTES, type Returned, SkillFault } from "./executed.ts";
import type { ClaimedRun } from "./held.ts";

const MAX_RESULT_BYTES = 8 * 1024 * 1024;
const MAX_ARTIFACT_BYTES = 2 * 1024 * 1024 * 1024;
const MEMORY_MB = 2_048;
const MAX_PROCESSES = 256;

/** Copies, made of the very bytes that were hashed, by the descriptor that was checked. */
export async function copyInputs(
  inputs: readonly PreparedInput[],
  folder: string,
  signal: AbortSignal,
): Promise<SkillInput[]> {
  const made: SkillInput[] = [];
  for (const [place, { role, kind, file, path, sha256, size, within }] of inputs.entries()) {
    // A folder each: two inputs may have one name, and a function may look at the name's ending.
    const own = join(folder, String(place + 1));
    await mkdir(own, { mode: 0o700 });
    const copy = join(own, basename(file));
    const copied = await hashInput(file, { signal, into: copy, within });
    if (copied.sha256 !== sha256)
      throw new SkillFault("SKILL_BAD_INPUT", `${path} changed while it was being read; run it again.`);
    made.push({ role, kind, path: copy, sha256, size_bytes: size });
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

/** Calls a function of the project, in a process of its own. */
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
    limits: {
      timeoutMs,
      maxResultBytes: MAX_RESULT_BYTES,
      maxLogBytes: MAX_LOG_BYTES,
      memoryMb: MEMORY_MB,
      maxArtifactBytes: MAX_ARTIFACT_BYTES,
      maxProcesses: MAX_PROCESSES,
    },
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
