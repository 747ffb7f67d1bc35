import { isMap } from "@knack/core/internal/engine";
import type { Strategy, TypedSkill } from "../../shared/typed-skill.ts";
import { findImplementation } from "../implementation/implementation.ts";
import type { Mapping } from "../report.ts";
import { readInputs } from "./read-inputs.ts";
import { readOutputs } from "./read-outputs.ts";

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
  "tags",
];
const STRATEGIES = ["INPUT_HASHES", "INPUT_HASHES_PLUS_PARAMS", "DISABLED"] as const;
const MAX_TIMEOUT = 86_400;

export interface EntryOptions {
  readonly projectRoot: string;
  readonly builtins: ReadonlyMap<string, TypedSkill>;
  readonly file: string;
  /** Why a schema cannot be used, or `undefined`. */
  readonly schemaProblem: (schema: object) => string | undefined;
}

/**
 * Reads an entry whose name is valid; reports the faults of the rest with their positions. An entry for a built-in skill
 * inherits what it does not set.
 */
export function readEntry(entry: Mapping, name: string, options: EntryOptions): TypedSkill {
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
    params: { schema: readSchema(entry, options, base) },
    idempotency: readIdempotency(entry, base),
    env: readEnv(entry),
    timeoutSeconds: readTimeout(entry),
    tags: readTags(entry),
    declared: { file: options.file, line: entry.line() },
  };
}

/** Document 003 §2 requires all four. Three of them have a safe empty value; the fourth does not. */
function reportAbsent(entry: Mapping): void {
  const add: Readonly<Record<string, string>> = {
    inputs: "inputs: []",
    outputs: "outputs: { artifacts: [], evidences: [] }",
    params: "params: { schema: {} }",
  };
  const absent = Object.keys(add).filter((key) => !entry.has(key));
  if (absent.length > 0) {
    const lines = absent.map((key) => `"${add[key]}"`).join(", ");
    entry.add(
      "W_REG_FIELD",
      undefined,
      `It does not declare ${absent.join(", ")}, so it has none; add ${lines}.`,
    );
  }
  if (entry.isEmpty("idempotency")) {
    entry.add(
      "E_REG_FIELD",
      entry.has("idempotency") ? "idempotency" : undefined,
      'It must declare "idempotency"; add "idempotency: { strategy: INPUT_HASHES_PLUS_PARAMS, cache: true }", or "cache: false" if each run may differ.',
    );
  }
}

/** Where its function is, and which built-in skill that is. */
function readImplementation(
  entry: Mapping,
  name: string,
  options: EntryOptions,
): { readonly implementation: string; readonly base?: TypedSkill | undefined } {
  const text = entry.text("implementation");
  if (text === undefined) {
    const base = entry.has("implementation") ? undefined : options.builtins.get(name);
    if (base) return { implementation: base.implementation, base };
    if (!entry.has("implementation"))
      entry.add(
        "E_REG_FIELD",
        undefined,
        'It has no "implementation"; add a file and a function ("skills/impl/x.ts:run") or "builtin:<name>".',
      );
    return { implementation: "" };
  }
  const found = findImplementation(text, { ...options, name });
  if ("problem" in found) {
    entry.add("E_REG_IMPLEMENTATION", "implementation", `"implementation": ${found.problem}`);
    return { implementation: text };
  }
  return {
    implementation: text,
    base: found.kind === "builtin" ? options.builtins.get(found.name) : undefined,
  };
}

function readSchema(
  entry: Mapping,
  options: EntryOptions,
  base: TypedSkill | undefined,
): Readonly<Record<string, unknown>> {
  const params = entry.mapping("params", ["schema"]);
  if (base && !params.has("schema")) return base.params.schema;
  const schema = params.value("schema") ?? {};
  if (!isMap(schema)) {
    params.add("E_REG_SCHEMA", "schema", '"params.schema" must be a JSON Schema, as a mapping.');
    return {};
  }
  const problem = options.schemaProblem(schema);
  if (problem) params.add("E_REG_SCHEMA", "schema", `"params.schema": ${problem}`);
  return schema;
}

function readIdempotency(
  entry: Mapping,
  base: TypedSkill | undefined,
): { readonly strategy: Strategy; readonly cache: boolean } {
  const idempotency = entry.mapping("idempotency", ["strategy", "cache"]);
  const known = base?.idempotency ?? { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true };
  return {
    strategy: idempotency.oneOf("strategy", STRATEGIES) ?? known.strategy,
    cache: idempotency.flag("cache", known.cache),
  };
}

function readEnv(entry: Mapping): readonly string[] {
  const names = entry.texts("env");
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined) {
    entry.add(
      "E_REG_FIELD",
      "env",
      `"env": ${JSON.stringify(wrong.slice(0, 80))} is not the name of a variable.`,
    );
  }
  return [...new Set(names)];
}

function readTags(entry: Mapping): readonly string[] {
  const tags = entry.texts("tags");
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong !== undefined)
    entry.add(
      "E_REG_FIELD",
      "tags",
      `"tags": ${JSON.stringify(wrong.slice(0, 80))} is not a tag; use letters, digits, ".", "_" and "-", at most 40.`,
    );
  return [...new Set(tags)].sort();
}

export function isTag(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text);
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
