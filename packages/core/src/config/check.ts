import { isAbsolute } from "node:path";
import * as z from "zod";
import { nearest } from "../shared/nearest.ts";
import { DIALECT_NAMES } from "../skill/dialects.ts";
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
import { CLIENT_IDS, type ClientId } from "./client-folders.ts";
import { ruleFaults } from "./rules.ts";

/**
 * `.knack/config.yaml` as a user writes it: every key optional, an unknown key an error. A key with one value is one that
 * this version has no choice for: any other value is an error instead of being ignored.
 */

const count = z.int().min(1);
const limits = <const K extends string>(...keys: K[]) =>
  z.strictObject(
    Object.fromEntries(keys.map((key) => [key, count.optional()])) as Record<K, z.ZodOptional<z.ZodInt>>,
  );

const rule = z
  .strictObject({ tool: z.string().min(1), skill_name: z.string().min(1).optional() })
  .superRefine((value, context) => {
    for (const { key, message } of ruleFaults(value))
      context.addIssue({ code: "custom", path: [key], message });
  });

const root = z
  .strictObject({
    path: z.string().min(1).optional(),
    /** A folder of whatever project Knack runs in. */
    project: z.string().min(1).optional(),
    scope: z.enum(["repo", "user", "bundled"]).optional(),
    dialect: z.enum(DIALECT_NAMES).optional(),
  })
  .superRefine(({ path, project, scope }, context) => {
    const fault = (message: string, key: string[] = []): void => {
      context.addIssue({ code: "custom", path: key, message });
    };
    if (path === undefined && project === undefined) fault("is missing.", ["path"]);
    if (path !== undefined && project !== undefined)
      fault("cannot stand beside path; name one.", ["project"]);
    if (project === undefined) return;
    if (!isBelow(project)) fault("must be a folder inside the project, like .claude/skills.", ["project"]);
    if (scope !== undefined && scope !== "repo") fault("must be repo for a project folder.", ["scope"]);
  });

/** A text that error messages never quote, because it may contain a secret. */
function checked(faultOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = faultOf(text);
    if (message) context.addIssue({ code: "custom", message });
  });
}

function artifactsFault(text: string): string | undefined {
  if (text === "postgres" || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.=/-]*)?$/.test(text))
    return undefined;
  return "must be postgres or s3://bucket/prefix, without a password.";
}

/** A plain string is the path of a root. */
function pathAsRoot(value: unknown): unknown {
  return typeof value === "string" ? { path: value } : value;
}

/** Whether a stated path cannot lead out of the folder that it is relative to. */
function isBelow(path: string): boolean {
  const steps = path.split(/[/\\]/);
  return !isAbsolute(path) && !/^[~\\]|^[a-z]:/i.test(path) && !steps.includes("..");
}

export const configSchema = z.strictObject({
  skills: z
    .strictObject({
      enabled: z.boolean().optional(),
      validation: z.enum(["strict", "lenient"]).optional(),
      clients: z
        .union([z.enum(["all", "none"]), z.array(z.enum(CLIENT_IDS as [ClientId, ...ClientId[]]))], {
          error: `must be all, none, or a list of ${CLIENT_IDS.join(", ")}`,
        })
        .optional(),
      locked: z.boolean().optional(),
      duplicates: z.enum(["ambiguous", "nearest"]).optional(),
      roots: z.array(z.preprocess(pathAsRoot, root)).optional(),
      disabled: z.array(z.string().min(1)).optional(),
      initial: limits("maxEntries", "maxBytes").optional(),
      search: limits("defaultLimit", "maxLimit").optional(),
      files: limits("maxFiles", "maxBytes").optional(),
    })
    .optional(),
  tools: z.strictObject({ available: z.array(z.string().min(1)).optional() }).optional(),
  permissions: z
    .strictObject({
      allow: z.array(rule).optional(),
      deny: z.array(rule).optional(),
      default: z.enum(["allow", "confirm"]).nullable().optional(),
    })
    .optional(),
  routing: z.string().min(1).optional(),
  registry: z.array(z.string().min(1)).max(100).optional(),
  dispatch: z
    .strictObject({ root: z.string().min(1).optional(), maxDepth: z.int().min(0).optional() })
    .optional(),
  runners: z
    .object({ default: z.string().min(1).nullable().optional() })
    .catchall(z.strictObject({ command: z.array(z.string()).min(1) }))
    .optional(),
  mcp: z
    .strictObject({
      tools: z
        .union([z.enum(["core", "all"]), z.array(z.string().min(1)).min(1)], {
          error: "must be core, all, or a list of the names of tools",
        })
        .optional(),
    })
    .optional(),
  store: z.strictObject({ url: z.string().min(1).nullable().optional() }).optional(),
  isolation: z.strictObject({ allowNone: z.array(z.string().min(1)).optional() }).optional(),
  artifacts: z.strictObject({ url: checked(artifactsFault).nullable().optional() }).optional(),
});

/** One file's content, checked. */
export type ConfigFile = z.infer<typeof configSchema>;

export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** Whether a permission rule may be behind it that nobody can understand. */
  readonly isOfRules: boolean;
}

/** Text of one configuration file → its content, or every problem in it with its line. */
export function checkConfig(text: string, file: string): ConfigFile | ConfigProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isOfRules: true }];
  dropEmpty(document.data);
  const result = configSchema.safeParse(document.data);
  if (result.success) return result.data;
  return schemaProblems(result.error, configSchema, document.data).map(({ path, message }) => ({
    file,
    line: document.lineOf(path),
    message,
    isOfRules: nearest(String(path[0]), ["permissions"]) !== undefined,
  }));
}

/** What a schema found, in the words that all files of Knack are answered in. */
export function schemaProblems(error: z.ZodError, schema: z.ZodType, data: unknown): Problem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, schema, data));
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

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): Problem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { path: at, message: unknownKey(yamlPath(at), key, known) };
    });
  }
  return [{ path, message: messageOf(issue, yamlPath(path) || "the configuration", valueAt(data, path)) }];
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
  // Of a value that is changed before it is checked: what it is checked with.
  return schema instanceof z.ZodPipe ? schema.out : schema;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    data,
  );
}
