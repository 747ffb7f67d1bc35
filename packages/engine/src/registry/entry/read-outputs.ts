import type { DeclaredArtifact, DeclaredEvidence, TypedSkill } from "../../shared/typed-skill.ts";
import { parsePathTemplate } from "../path-template.ts";
import type { Mapping } from "../report.ts";

const ARTIFACT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const FORMAT = /^[A-Za-z0-9][A-Za-z0-9.+-]{0,31}$/;
const EVIDENCE_KIND = /^[A-Za-z][\w-]{0,63}$/;

/** The declared outputs: artifacts with their paths, and evidence with its fields; for a built-in, inherited from it. */
export function readOutputs(
  entry: Mapping,
  hasInputs: boolean,
  base: TypedSkill | undefined,
): TypedSkill["outputs"] {
  const outputs = entry.mapping("outputs", ["artifacts", "evidences"]);
  const known = base?.outputs ?? { artifacts: [], evidences: [] };
  const artifacts = outputs.has("artifacts")
    ? outputs
        .mappings("artifacts", ["name", "format", "path_template"])
        .map((artifact) => readArtifact(artifact, hasInputs, known.artifacts))
    : known.artifacts;
  const evidences = outputs.has("evidences")
    ? outputs.mappings("evidences", ["kind", "schema"]).map((one) => readEvidence(one, known.evidences))
    : known.evidences;
  reportTwice(
    outputs,
    "artifacts",
    artifacts.map(({ name }) => name),
  );
  reportTwice(
    outputs,
    "evidences",
    evidences.map(({ kind }) => kind),
  );
  return { artifacts, evidences };
}

function readArtifact(
  artifact: Mapping,
  hasInputs: boolean,
  known: readonly DeclaredArtifact[],
): DeclaredArtifact {
  const base = known.find(({ name }) => name === artifact.value("name"));
  const pathTemplate = artifact.text("path_template") ?? base?.pathTemplate ?? "";
  const template = parsePathTemplate(pathTemplate);
  if ("problem" in template) {
    artifact.add("E_REG_TEMPLATE", "path_template", `"path_template": ${template.problem}`);
  } else if (!hasInputs && pathTemplate.includes("{input_sha256}")) {
    artifact.add(
      "E_REG_TEMPLATE",
      "path_template",
      '"path_template": {input_sha256} needs an input, but the skill has none.',
    );
  }
  return {
    name: word(artifact, "name", ARTIFACT_NAME),
    format: base && !artifact.has("format") ? base.format : word(artifact, "format", FORMAT),
    pathTemplate,
  };
}

function readEvidence(evidence: Mapping, known: readonly DeclaredEvidence[]): DeclaredEvidence {
  const base = known.find(({ kind }) => kind === evidence.value("kind"));
  if (base && !evidence.has("schema")) return base;
  const fields = evidence.mapping("schema", ["fields"]).texts("fields");
  return { kind: word(evidence, "kind", EVIDENCE_KIND), fields: [...new Set(fields)] };
}

function word(mapping: Mapping, key: string, pattern: RegExp): string {
  const text = mapping.text(key);
  if (text !== undefined && pattern.test(text)) return text;
  mapping.add(
    "E_REG_FIELD",
    key,
    `"${key}" must be one word that can be part of a file name: letters, digits, "-".`,
  );
  return text ?? "";
}

function reportTwice(outputs: Mapping, key: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) outputs.add("E_REG_FIELD", key, `"${key}" has "${twice}" twice.`);
}
