import * as z from "zod";
import { valueAt } from "../shared/json.ts";
import { nearest } from "../shared/nearest.ts";
import type { YamlMap } from "../skill/yaml/simple-yaml.ts";
import { parseYamlFile } from "../skill/yaml/yaml-profile.ts";
import {
  described,
  missingValue,
  notOneOf,
  unknownKey,
  wrongValue,
  yamlPath,
} from "../skill/yaml/yaml-reader.ts";
import { type ConfigFile, isKey, KEYS, type Keys } from "./config.ts";

export const configSchema = schemaOf(KEYS);

function schemaOf(rows: Keys): z.ZodObject {
  const shape = Object.entries(rows).map(([name, row]) => {
    const schema: z.ZodType = isKey(row) ? row.schema(z) : schemaOf(row);
    return [name, schema.optional()];
  });
  return z.strictObject(Object.fromEntries(shape));
}

export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** Whether a permission rule may be behind it. */
  readonly isOfRules: boolean;
}

/** Text of one configuration file → its content, or every problem in it with its line. */
export function checkConfig(text: string, file: string): ConfigFile | ConfigProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isOfRules: true }];
  dropEmpty(document.data);
  const result = configSchema.safeParse(document.data);
  if (result.success) return result.data as ConfigFile;
  return schemaProblems(result.error, configSchema, document.data).map(({ path, message }) => ({
    file,
    line: document.lineOf(path),
    message,
    isOfRules: nearest(String(path[0]), ["permissions"]) !== undefined,
  }));
}

/** A schema's findings, in the words of all of Knack's files. */
export function schemaProblems(error: z.ZodError, schema: z.ZodType, data: unknown): Problem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, schema, data));
}

/** Keys that may be null on purpose. */
const OFF = ["default", "url"];

/** Elsewhere an empty value is as good as none. */
function dropEmpty(map: YamlMap): void {
  for (const [key, value] of Object.entries(map)) {
    if (value === null && !OFF.includes(key)) delete map[key];
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) dropEmpty(value);
  }
}

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): Problem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { path: at, message: unknownKey(yamlPath(at), key, known) };
    });
  }
  if (issue.code === "invalid_union") {
    // If a list was written where a list is one of the choices, its items are at fault.
    const ofItems = issue.errors.find((inner) => inner.every((one) => one.path.length > 0)) ?? [];
    const problems = ofItems.flatMap((one) =>
      problemsOf({ ...one, path: [...path, ...one.path] }, schema, data),
    );
    if (problems.length > 0) return problems;
  }
  return [{ path, message: messageOf(issue, yamlPath(path) || "the configuration", valueAt(data, ...path)) }];
}

function messageOf(issue: z.core.$ZodIssue, where: string, value: unknown): string {
  switch (issue.code) {
    case "custom":
      return `"${where}" ${issue.message}`;
    case "invalid_value":
      return notOneOf(where, issue.values.map(String), value);
    case "invalid_type":
      if (value === undefined) return missingValue(where);
      return wrongValue(where, EXPECTED[issue.expected] ?? issue.expected, value);
    case "too_small": {
      const rule = issue.origin === "string" ? "not be empty" : `be at least ${issue.minimum}`;
      return `"${where}" must ${rule}, found ${described(value)}.`;
    }
    case "invalid_union":
      return `"${where}" ${issue.message}, found ${described(value)}.`;
    default:
      return `"${where}": ${issue.message}, found ${described(value)}.`;
  }
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
function keysAt(whole: z.ZodType, path: readonly PropertyKey[]): string[] {
  let schema: unknown = whole;
  for (const step of path) {
    schema = unwrap(schema);
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(step)] ?? schema.def.catchall;
  }
  schema = unwrap(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrap(schema: unknown): unknown {
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap();
  // What a preprocessed value is checked with.
  return schema instanceof z.ZodPipe ? schema.out : schema;
}
