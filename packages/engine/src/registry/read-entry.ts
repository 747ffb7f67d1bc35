import type { DeclaredInput, Strategy, TypedSkill } from "../typed-skill.ts";
import { findImplementation, type ImplementationOptions } from "./implementation.ts";
import { readOutputs } from "./read-outputs.ts";
import { isMap, type Mapping } from "./report.ts";

export const ENTRY_KEYS = [
  "name",
  "description",
  "version",
  "implementation",
  "inputs",
  "outputs",
  "params",
  "idempotency",
  "env",
  "timeout_seconds",
];
const KINDS = ["FILE", "CONFIRMATION", "ARTIFACT"] as const;
const STRATEGIES = ["INPUT_HASHES", "INPUT_HASHES_PLUS_PARAMS", "DISABLED"] as const;
const NAME = /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_TIMEOUT = 86_400;

export interface EntryOptions {
  readonly projectRoot: string;
  readonly builtins: ImplementationOptions["builtins"];
  readonly file: string;
  /** Why a schema cannot be used, or `undefined`. */
  readonly schemaProblem: (schema: object) => string | undefined;
}

export function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name);
}

/** An entry with a name that is known to be good; what is wrong with the rest is reported where it stands. */
export function readEntry(entry: Mapping, name: string, options: EntryOptions): TypedSkill {
  const absent = ["inputs", "outputs", "params", "idempotency"].filter((key) => !entry.has(key));
  if (absent.length > 0) {
    entry.add(
      "W_REG_FIELD",
      undefined,
      `${name} does not declare ${absent.join(", ")}; the defaults are used.`,
    );
  }
  const inputs = readInputs(entry);
  return {
    name,
    description: entry.text("description") ?? "",
    version: readVersion(entry),
    implementation: readImplementation(entry, name, options),
    inputs,
    outputs: readOutputs(entry, inputs.length > 0),
    params: { schema: readSchema(entry, options) },
    idempotency: readIdempotency(entry),
    env: readEnv(entry),
    timeoutSeconds: readTimeout(entry),
    declared: { file: options.file, line: entry.line() },
  };
}

function readImplementation(entry: Mapping, name: string, options: EntryOptions): string {
  const text = entry.text("implementation");
  if (text === undefined) {
    if (!entry.has("implementation")) entry.add("E_REG_FIELD", undefined, `${name} has no "implementation".`);
    return "";
  }
  const found = findImplementation(text, { ...options, name });
  if ("problem" in found)
    entry.add("E_REG_IMPLEMENTATION", "implementation", `"implementation": ${found.problem}`);
  return text;
}

function readInputs(entry: Mapping): DeclaredInput[] {
  const roles = new Set<string>();
  let unnamed = 0;
  return entry.mappings("inputs", ["kind", "required", "role", "multiple", "schema"]).map((input) => {
    if (!input.has("kind"))
      input.add("E_REG_FIELD", undefined, `An input has no "kind": ${KINDS.join(", ")}.`);
    const role = input.text("role") ?? (++unnamed === 1 ? "input" : `input_${unnamed}`);
    if (!isSkillName(role)) {
      input.add("E_REG_FIELD", "role", '"role" must be lowercase letters and digits, joined by "_" or "-".');
    } else if (roles.has(role)) {
      input.add("E_REG_FIELD", "role", `Two inputs have the role "${role}"; give each its own.`);
    }
    roles.add(role);
    return {
      role,
      kind: input.oneOf("kind", KINDS) ?? "FILE",
      required: input.flag("required", true),
      many: input.flag("multiple", false),
    };
  });
}

function readSchema(entry: Mapping, options: EntryOptions): Readonly<Record<string, unknown>> {
  const params = entry.mapping("params", ["schema"]);
  const schema = params.value("schema") ?? {};
  if (!isMap(schema)) {
    params.add("E_REG_SCHEMA", "schema", '"params.schema" must be a JSON Schema, as a mapping.');
    return {};
  }
  const problem = options.schemaProblem(schema);
  if (problem) params.add("E_REG_SCHEMA", "schema", `"params.schema": ${problem}`);
  return schema;
}

function readIdempotency(entry: Mapping): { strategy: Strategy; cache: boolean } {
  const idempotency = entry.mapping("idempotency", ["strategy", "cache"]);
  return {
    strategy: idempotency.oneOf("strategy", STRATEGIES) ?? "INPUT_HASHES_PLUS_PARAMS",
    cache: idempotency.flag("cache", true),
  };
}

/** A number would lose its last zero: 1.10 is 1.1. */
function readVersion(entry: Mapping): string {
  const version = entry.value("version");
  if (Number.isSafeInteger(version)) return String(version);
  if (version === undefined || typeof version === "string") return version ?? "";
  entry.add("E_REG_FIELD", "version", '"version" must be text; put it in quotes.');
  return "";
}

function readEnv(entry: Mapping): readonly string[] {
  const names = entry.texts("env");
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined) {
    entry.add("E_REG_FIELD", "env", `"env": ${JSON.stringify(wrong.slice(0, 80))} is no name of a variable.`);
  }
  return [...new Set(names)];
}

function readTimeout(entry: Mapping): number | null {
  const seconds = entry.value("timeout_seconds");
  if (seconds === undefined) return null;
  if (typeof seconds === "number" && seconds > 0 && seconds <= MAX_TIMEOUT) return seconds;
  entry.add(
    "E_REG_FIELD",
    "timeout_seconds",
    `"timeout_seconds" must be a number above 0, at most ${MAX_TIMEOUT}.`,
  );
  return null;
}
