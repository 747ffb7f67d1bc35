import { fewOf } from "@knack/core/internal/engine";
import type { ProducedArtifact, ProducedEvidence, SkillOutput } from "../../shared/skill-function.ts";
import type { TypedSkill } from "../../shared/typed-skill.ts";

/** More outputs than this are a mistake of the function. */
const MAX_OUTPUTS = 1_000;

/** What a function gave back, held to document 003 §3.3 and to what its entry declares; or what is wrong with it. */
export function checkOutput(value: unknown, skill: TypedSkill): SkillOutput | { readonly problem: string } {
  if (!isRecord(value)) return wrong(`it must return an object, found ${kindOf(value)}`);
  const { status, artifacts = [], evidences = [], error = null } = value;
  if (status !== "SUCCEEDED" && status !== "FAILED") return wrong('"status" must be SUCCEEDED or FAILED');
  if (status === "FAILED") {
    const isTold = isRecord(error) && typeof error.code === "string" && typeof error.message === "string";
    if (!isTold) return wrong('a failure needs "error" with a code and a message');
    return {
      status,
      artifacts: [],
      evidences: [],
      error: { code: String(error.code), message: String(error.message) },
    };
  }
  if (error !== null) return wrong('"error" must be null when the status is SUCCEEDED');
  if (!Array.isArray(artifacts) || !Array.isArray(evidences))
    return wrong('"artifacts" and "evidences" must be lists');
  if (artifacts.length + evidences.length > MAX_OUTPUTS)
    return wrong(`it has ${artifacts.length + evidences.length} outputs; at most ${MAX_OUTPUTS} are allowed`);
  for (const artifact of artifacts) {
    const problem = artifactProblem(artifact, skill);
    if (problem) return wrong(problem);
  }
  const names = artifacts.map(({ name }: ProducedArtifact) => name);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) return wrong(`the artifact "${twice}" is returned twice`);
  const missing = skill.outputs.artifacts.find(
    ({ name }) => !artifacts.some((artifact) => artifact.name === name),
  );
  if (missing) return wrong(`the artifact "${missing.name}" is declared but was not returned`);
  for (const evidence of evidences) {
    const problem = evidenceProblem(evidence, skill);
    if (problem) return wrong(problem);
  }
  return {
    status,
    artifacts: artifacts as readonly ProducedArtifact[],
    evidences: evidences as readonly ProducedEvidence[],
    error: null,
  };
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

function wrong(problem: string): { readonly problem: string } {
  return { problem: `The function broke its contract: ${problem}.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
