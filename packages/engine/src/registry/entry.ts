import { fewOf } from "@knack/core/text";
import { isMap, type YamlMapping, type YamlValue } from "@knack/core/yaml";
import type { DeclaredArtifact, DeclaredEvidence, DeclaredInput, TypedSkill } from "../shared/typed-skill.ts";
import { paramsChecker } from "./check-params.ts";
import { findImplementation } from "./implementation.ts";
import { templateProblem } from "./path-template.ts";
import { isSkillName } from "./report.ts";

const KINDS = ["FILE", "CONFIRMATION", "ARTIFACT"] as const;

/** An input of a built-in inherits what it does not set from the one with its role, or without a role at its position. */
function readInputs(entry: YamlMapping, base: TypedSkill | undefined): readonly DeclaredInput[] {
  if (base && !entry.has("inputs")) return base.inputs;
  const roles = new Set<string>();
  const lacking: string[] = [];
  let unnamed = 0;
  const inputs = entry
    .mappings("inputs", ["kind", "required", "role", "multiple", "schema"])
    .map((input, place): DeclaredInput => {
      const stated = input.text("role");
      const known =
        stated === undefined ? base?.inputs[place] : base?.inputs.find(({ role }) => role === stated);
      if (!known && !input.has("kind"))
        input.fail(undefined, `An input has no "kind"; use one of ${KINDS.join(", ")}.`);
      const role = stated ?? known?.role ?? (++unnamed === 1 ? "input" : `input_${unnamed}`);
      reportRole(input, role, roles);
      const schema = input.value("schema");
      if (schema !== undefined && !isMap(schema))
        input.fail("schema", '"schema" of an input should be a mapping with "fields".', "W_REG_FIELD");
      const kind = input.oneOf("kind", KINDS) ?? known?.kind ?? "FILE";
      const many = input.flag("multiple") ?? known?.many ?? false;
      const absent = known ? [] : ["required", "schema"].filter((key) => !input.has(key));
      if (absent.length > 0) lacking.push(`${role} (${absent.join(", ")})`);
      if (kind === "CONFIRMATION" && known)
        input.fail(
          "kind",
          `The built-in ${base?.name} reads a file as "${role}"; give the confirmation another role.`,
        );
      if (kind === "CONFIRMATION" && many)
        input.fail(
          "multiple",
          'A confirmation is given once; "min_count" of a plan\'s requirement asks for more.',
        );
      return {
        role,
        kind,
        required: input.flag("required") ?? known?.required ?? true,
        many,
        ...(isMap(schema) ? { schema } : {}),
      };
    });
  if (lacking.length > 0)
    entry.fail(
      "inputs",
      `Inputs should say whether they are required and which fields they have: ${fewOf(lacking)}. Add "required: true, schema: { fields: [path, sha256] }".`,
      "W_REG_FIELD",
    );
  const missing = base?.inputs.filter(({ role, required }) => required && !roles.has(role)) ?? [];
  if (missing.length > 0) {
    const names = missing.map(({ role }) => `"${role}"`).join(", ");
    entry.fail("inputs", `The built-in ${base?.name} needs the input ${names}; add it, or omit "inputs".`);
  }
  return inputs;
}

function reportRole(input: YamlMapping, role: string, roles: Set<string>): void {
  if (!isSkillName(role)) {
    input.fail("role", '"role" must be lowercase letters and digits, joined by "_" or "-".');
  } else if (roles.has(role)) {
    input.fail("role", `Two inputs have the role "${role}"; give each its own.`);
  }
  roles.add(role);
}

const ARTIFACT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const FORMAT = /^[A-Za-z0-9][A-Za-z0-9.+-]{0,31}$/;
const EVIDENCE_KIND = /^[A-Za-z][\w-]{0,63}$/;

/** The declared outputs: artifacts with their paths, and evidence with its fields; for a built-in, inherited from it. */
function readOutputs(entry: YamlMapping, hasInputs: boolean, base: TypedSkill | undefined) {
  const outputs = entry.part("outputs", ["artifacts", "evidences"]);
  const known = base?.outputs ?? { artifacts: [], evidences: [] };
  const artifacts = outputs.has("artifacts")
    ? outputs
        .mappings("artifacts", ["name", "format", "path_template"])
        .map((artifact) => readArtifact(artifact, hasInputs, known.artifacts))
    : known.artifacts;
  const evidences = outputs.has("evidences")
    ? outputs.mappings("evidences", ["kind", "schema"]).map((one) => readEvidence(one, known.evidences))
    : known.evidences;
  const names = {
    artifacts: artifacts.map(({ name }) => name),
    evidences: evidences.map(({ kind }) => kind),
  };
  for (const [key, all] of Object.entries(names)) {
    const twice = all.find((name, index) => all.indexOf(name) < index);
    if (twice) outputs.fail(key, `"${key}" has "${twice}" twice.`);
  }
  return { artifacts, evidences };
}

function readArtifact(artifact: YamlMapping, hasInputs: boolean, known: readonly DeclaredArtifact[]) {
  const base = known.find(({ name }) => name === artifact.value("name"));
  const pathTemplate = artifact.text("path_template") ?? base?.pathTemplate ?? "";
  const needsInput = !hasInputs && pathTemplate.includes("{input_sha256}");
  const problem =
    templateProblem(pathTemplate) ??
    (needsInput ? "{input_sha256} needs an input, but the skill has none." : undefined);
  if (problem) artifact.fail("path_template", `"path_template": ${problem}`, "E_REG_TEMPLATE");
  return {
    name: word(artifact, "name", ARTIFACT_NAME),
    format: base && !artifact.has("format") ? base.format : word(artifact, "format", FORMAT),
    pathTemplate,
  };
}

function readEvidence(evidence: YamlMapping, known: readonly DeclaredEvidence[]): DeclaredEvidence {
  const base = known.find(({ kind }) => kind === evidence.value("kind"));
  if (base && !evidence.has("schema")) return base;
  const fields = evidence.part("schema", ["fields"]).texts("fields");
  return { kind: word(evidence, "kind", EVIDENCE_KIND), fields: [...new Set(fields)] };
}

function word(mapping: YamlMapping, key: string, pattern: RegExp): string {
  const text = mapping.text(key);
  if (text !== undefined && pattern.test(text)) return text;
  mapping.fail(key, `"${key}" must be one word that can be part of a file name: letters, digits, "-".`);
  return text ?? "";
}

export const ENTRY_KEYS =
  "name description version implementation inputs outputs params idempotency env timeout_seconds tags".split(
    " ",
  );
const STRATEGIES = ["INPUT_HASHES", "INPUT_HASHES_PLUS_PARAMS", "DISABLED"] as const;
const MAX_TIMEOUT = 86_400;

interface EntryOptions {
  readonly projectRoot: string;
  readonly builtins: ReadonlyMap<string, TypedSkill>;
  readonly file: string;
}

/** Reads an entry whose name is valid and reports its faults. One for a built-in skill inherits what it does not set. */
export function readEntry(entry: YamlMapping, name: string, options: EntryOptions): TypedSkill {
  const { implementation, base } = readImplementation(entry, name, options);
  if (!base) reportAbsent(entry);
  const inputs = readInputs(entry, base);
  return {
    name,
    description: entry.text("description") ?? base?.description ?? "",
    version:
      entry.text("version", { wholeNumbers: true }) ?? (entry.has("version") ? "" : (base?.version ?? "")),
    implementation,
    inputs,
    outputs: readOutputs(entry, inputs.length > 0, base),
    params: { schema: readSchema(entry, base) },
    idempotency: readIdempotency(entry, base),
    env: readWords(entry, "env", (name) => /^[A-Za-z_]\w*$/.test(name), "the name of a variable"),
    timeoutSeconds: readTimeout(entry),
    tags: readWords(entry, "tags", isTag, `a tag; use ${TAG_LETTERS}, at most 40`).sort(),
    declared: { file: options.file, line: entry.lineOf() },
  };
}

/** Document 003 §2 requires all four. Three of them have a safe empty value; the fourth does not. */
function reportAbsent(entry: YamlMapping): void {
  const add: Readonly<Record<string, string>> = {
    inputs: "inputs: []",
    outputs: "outputs: { artifacts: [], evidences: [] }",
    params: "params: { schema: {} }",
  };
  const absent = Object.keys(add).filter((key) => !entry.has(key));
  if (absent.length > 0) {
    const lines = absent.map((key) => `"${add[key]}"`).join(", ");
    entry.fail(
      undefined,
      `It does not declare ${absent.join(", ")}, so it has none; add ${lines}.`,
      "W_REG_FIELD",
    );
  }
  if (isEmpty(entry.value("idempotency"))) {
    entry.fail(
      entry.has("idempotency") ? "idempotency" : undefined,
      'It must declare "idempotency"; add "idempotency: { strategy: INPUT_HASHES_PLUS_PARAMS, cache: true }", or "cache: false" if each run may differ.',
    );
  }
}

/** A key that is there without a value is as good as none. */
function isEmpty(value: YamlValue | undefined): boolean {
  return value === undefined || (isMap(value) && Object.values(value).every((one) => one === null));
}

/** Where its function is, and which built-in skill that is. */
function readImplementation(entry: YamlMapping, name: string, options: EntryOptions) {
  const text = entry.text("implementation");
  if (text === undefined) {
    const base = entry.has("implementation") ? undefined : options.builtins.get(name);
    if (base) return { implementation: base.implementation, base };
    if (!entry.has("implementation"))
      entry.fail(
        undefined,
        'It has no "implementation"; add a file and a function ("skills/impl/x.ts:run") or "builtin:<name>".',
      );
    return { implementation: "" };
  }
  const found = findImplementation(text, { ...options, name });
  if ("problem" in found) {
    entry.fail("implementation", `"implementation": ${found.problem}`, "E_REG_IMPLEMENTATION");
    return { implementation: text };
  }
  return {
    implementation: text,
    base: found.kind === "builtin" ? options.builtins.get(found.name) : undefined,
  };
}

function readSchema(entry: YamlMapping, base: TypedSkill | undefined): TypedSkill["params"]["schema"] {
  const params = entry.part("params", ["schema"]);
  if (base && !params.has("schema")) return base.params.schema;
  const schema = params.value("schema") ?? {};
  if (!isMap(schema)) {
    params.fail("schema", '"params.schema" must be a JSON Schema, as a mapping.', "E_REG_SCHEMA");
    return {};
  }
  const checker = paramsChecker(schema);
  if ("problem" in checker) params.fail("schema", `"params.schema": ${checker.problem}`, "E_REG_SCHEMA");
  return schema;
}

function readIdempotency(entry: YamlMapping, base: TypedSkill | undefined): TypedSkill["idempotency"] {
  const idempotency = entry.part("idempotency", ["strategy", "cache"]);
  const known = base?.idempotency ?? { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true };
  return {
    strategy: idempotency.oneOf("strategy", STRATEGIES) ?? known.strategy,
    cache: idempotency.flag("cache") ?? known.cache,
  };
}

/** The words of a list, each once; `what` says what all of them must be. */
function readWords(
  entry: YamlMapping,
  key: string,
  isValid: (word: string) => boolean,
  what: string,
): string[] {
  const words = entry.texts(key);
  const wrong = words.find((word) => !isValid(word));
  if (wrong !== undefined) entry.fail(key, `"${key}": ${JSON.stringify(wrong.slice(0, 80))} is not ${what}.`);
  return [...new Set(words)];
}

const TAG_LETTERS = 'letters, digits, ".", "_" and "-"';

export function isTag(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text);
}

function readTimeout(entry: YamlMapping): number | null {
  const seconds = entry.value("timeout_seconds");
  if (seconds === undefined) return null;
  if (typeof seconds === "number" && seconds > 0 && seconds <= MAX_TIMEOUT) return seconds;
  entry.fail("timeout_seconds", `"timeout_seconds" must be a number above 0, at most ${MAX_TIMEOUT}.`);
  return null;
}
