import { placeArtifact } from "../../artifacts/place-artifact.ts";
import { fillPathTemplate, parsePathTemplate } from "../../registry/path-template.ts";
import type { ProducedArtifact } from "../../shared/skill-function.ts";
import type { NewArtifact } from "../../store/runs/artifacts.ts";
import type { PreparedRun } from "../prepare/prepare-run.ts";
import { type KeptEdit, SkillFault } from "./executed.ts";
import type { ClaimedRun } from "./held.ts";

/** Puts what a function made where its entry says; where an artifact was lost, back to where it was. */
export async function placeOutputs(
  artifacts: readonly ProducedArtifact[],
  { skill, key, inputs }: PreparedRun,
  artifactsDir: string,
  { run, before, projectRoot, isOurs, isTaken, leftovers }: ClaimedRun,
  /** Gets what was kept of a user's edits, also where a later artifact cannot be placed. */
  kept: KeptEdit[],
): Promise<NewArtifact[]> {
  const placed: NewArtifact[] = [];
  for (const { name, path: source, sha256, format } of artifacts) {
    const declared = skill.outputs.artifacts.find((artifact) => artifact.name === name);
    const template = parsePathTemplate(declared?.pathTemplate ?? "");
    if ("problem" in template) throw new SkillFault("SKILL_BAD_OUTPUT", template.problem);
    const filled = fillPathTemplate(template, {
      task_id: run.taskId ?? "adhoc",
      input_sha256: inputs[0]?.sha256 ?? "none",
      run_id: run.id,
      key,
      name,
      skill: skill.name,
      format,
    });
    if ("code" in filled) throw new SkillFault(filled.code, filled.message);
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
    if ("code" in result) throw new SkillFault(result.code, result.message);
    kept.push(...(result.kept ?? []).map((one) => ({ path: result.path, kept_as: one })));
    placed.push({ name, path: result.path, sha256: result.sha256, size_bytes: result.size, format });
  }
  return placed;
}
