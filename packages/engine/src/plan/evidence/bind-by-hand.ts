import { statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fewOf, isInside, quote } from "@knack/core/internal/engine";
import { hashInput } from "../../run/prepare/hash-input.ts";
import { containment, type Reach } from "../../run/prepare/reach.ts";
import { EngineError } from "../../shared/engine-error.ts";
import type { NewEvidence } from "../../store/runs/evidences.ts";
import type { RequirementRow, TaskRow } from "../plan-rows.ts";
import { hasAllowedType } from "./count-evidences.ts";

export type HandEvidence = { readonly file: string } | { readonly confirm: true; readonly by?: string };

/** The digest of a larger file takes minutes, and of a hole in a file system hours. */
const MAX_BYTES = 64 * 1024 ** 3;

/** Evidence that a person attaches to a requirement: a file or a confirmation. */
export async function bindByHand(
  task: TaskRow,
  name: string,
  evidence: HandEvidence,
  { projectRoot, cwd, reach }: { readonly projectRoot: string; readonly cwd: string; readonly reach: Reach },
): Promise<NewEvidence> {
  const requirement = requirementOf(task, name);
  const base = { requirementId: requirement.id, kind: null, refId: null };
  if ("confirm" in evidence) {
    if (requirement.kind !== "CONFIRMATION")
      throw new EngineError("INVALID_PARAM", `${name} needs ${requirement.kind}, not a confirmation.`);
    const data = evidence.by === undefined ? {} : { confirmed_by: evidence.by };
    return { ...base, type: "CONFIRMATION", refPath: null, sha256: null, data };
  }
  const file = resolve(cwd, evidence.file);
  checkFile(requirement, file);
  if (sizeOf(file, evidence.file) > MAX_BYTES)
    throw new EngineError(
      "INVALID_PARAM",
      `${quote(evidence.file)} has more than 64 GiB. Attach a smaller file.`,
    );
  const { sha256, size } = await hashInput(file, { within: containment(reach, file, projectRoot) });
  const refPath = isInside(file, projectRoot) ? relative(projectRoot, file).split(sep).join("/") : file;
  return { ...base, type: "FILE", refPath, sha256, data: { path: refPath, size_bytes: size } };
}

function sizeOf(file: string, given: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // A NUL in it, or thousands of letters.
    throw new EngineError("INVALID_PARAM", `${quote(given.slice(0, 200))} is not a path.`);
  }
}

/** Throws if the requirement does not take this file, by its name alone. */
export function checkFile(requirement: RequirementRow, file: string): void {
  const { name, kind, allowedTypes } = requirement;
  if (kind !== "FILE") throw new EngineError("INVALID_PARAM", `${name} needs ${kind}, not a file.`);
  if (!hasAllowedType(file, requirement))
    throw new EngineError("INVALID_PARAM", `${name} accepts only files of type ${fewOf(allowedTypes)}.`);
}

export function requirementOf(task: TaskRow, name: string): RequirementRow {
  const requirement = task.requirements.find((one) => one.name === name);
  if (requirement) return requirement;
  const names = fewOf(task.requirements.map((one) => one.name)) || "none";
  throw new EngineError(
    "NOT_FOUND",
    `The task ${task.id} has no requirement ${quote(name)}; it has ${names}.`,
  );
}
