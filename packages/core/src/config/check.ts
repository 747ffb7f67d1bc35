import * as z from "zod";
import { nearest } from "../shared/nearest.ts";
import { parseYaml } from "../skill/yaml/yaml-profile.ts";
import type { YamlMap } from "../skill/yaml/yaml-value.ts";
import { type ConfigFile, configSchema } from "./schema.ts";

export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** Whether a permission rule may be behind it that nobody can understand. */
  readonly isOfRules: boolean;
}

/** Text of one configuration file → its content, or every problem in it with its line. */
export function checkConfig(text: string, file: string): ConfigFile | ConfigProblem[] {
  const source = (text.startsWith("\ufeff") ? text.slice(1) : text).replaceAll("\r\n", "\n");
  const document = parseYaml(source, "core", 1);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isOfRules: true }];
  dropEmpty(document.data);
  const result = configSchema.safeParse(document.data);
  if (result.success) return result.data;
  return result.error.issues.flatMap((issue) =>
    problemsOf(issue, document.data).map(({ path, message }) => ({
      file,
      line: document.lineOf(path),
      message,
      isOfRules: nearest(String(path[0]), ["permissions"]) !== undefined,
    })),
  );
}

/** A key with nothing after it is as good as absent; only a `default` can be null on purpose. */
function dropEmpty(map: YamlMap): void {
  for (const [key, value] of Object.entries(map)) {
    if (value === null && key !== "default") delete map[key];
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) dropEmpty(value);
  }
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function problemsOf(issue: z.core.$ZodIssue, data: unknown): Problem[] {
  const { path } = issue;
  const where = path.join(".") || "the configuration";
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(path);
    return issue.keys.map((key) => {
      const guess = nearest(key, known);
      const hint = guess ? `did you mean "${guess}"?` : `the keys here are ${known.join(", ")}.`;
      return { path: [...path, key], message: `unknown key "${[...path, key].join(".")}"; ${hint}` };
    });
  }
  if (issue.code === "custom") return [{ path, message: `"${where}" ${issue.message}` }];
  const found = describeValue(valueAt(data, path));
  if (issue.code === "invalid_value") {
    const values = issue.values.map(String);
    const guess = nearest(String(valueAt(data, path)), values);
    const hint = guess ? ` Did you mean "${guess}"?` : "";
    return [{ path, message: `"${where}" must be ${values.join(" or ")}, found ${found}.${hint}` }];
  }
  if (issue.code === "invalid_type") {
    const value = valueAt(data, path);
    if (value === undefined) return [{ path, message: `"${where}" is missing.` }];
    return [
      { path, message: `"${where}" must be ${EXPECTED[issue.expected] ?? issue.expected}, found ${found}.` },
    ];
  }
  if (issue.code === "too_small") {
    return [
      {
        path,
        message: `"${where}" must ${issue.origin === "string" ? "not be empty" : `be at least ${issue.minimum}`}, found ${found}.`,
      },
    ];
  }
  return [{ path, message: `"${where}": ${issue.message}, found ${found}.` }];
}

const EXPECTED: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  string: "text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
};

/** The keys that a mapping at this place of the schema knows. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = configSchema;
  for (const step of path) {
    schema = unwrap(schema);
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(step)] ?? schema.def.catchall;
  }
  schema = unwrap(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrap(schema: unknown): unknown {
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap();
  return schema;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    data,
  );
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  return value === undefined ? "nothing" : JSON.stringify(value);
}
