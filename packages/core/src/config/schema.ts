import { isAbsolute } from "node:path";
import * as z from "zod";
import { DIALECT_NAMES } from "../skill/dialects.ts";
import { CLIENT_IDS, type ClientId } from "./client-folders.ts";
import { ruleFaults } from "./rule-faults.ts";

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

const embeddings = z.strictObject({
  url: checked(urlFault),
  model: z.string().min(1),
  apiKeyEnv: checked(variableFault).optional(),
  queryPrefix: z.string().optional(),
  skillPrefix: z.string().optional(),
});

/** A text that error messages never quote, because it may contain a secret. */
function checked(faultOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = faultOf(text);
    if (message) context.addIssue({ code: "custom", message });
  });
}

function variableFault(text: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(text)
    ? undefined
    : "must be the name of an environment variable, not the key itself.";
}

function urlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    return "must be an http or https address, like http://localhost:11434/v1.";
  // It is shown in messages.
  if (url.username || url.password) return "must not contain a password; name a variable in apiKeyEnv.";
  if (url.search || url.hash) return "must not have a ? or # part.";
  return /\/embeddings\/?$/.test(url.pathname) ? "must end before /embeddings, which Knack adds." : undefined;
}

function artifactsFault(text: string): string | undefined {
  if (text === "postgres" || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.=/-]*)?$/.test(text))
    return undefined;
  const url = /^file:\/\/\//.test(text) ? URL.parse(text) : null;
  if (url && !url.search && !url.hash && url.pathname !== "/") return undefined;
  return "must be postgres, file:///folder or s3://bucket/prefix, without a password.";
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
      search: limits("defaultLimit", "maxLimit")
        .extend({ embeddings: embeddings.nullable().optional() })
        .optional(),
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
  store: z.strictObject({ url: z.string().min(1).optional() }).optional(),
  isolation: z.strictObject({ allowNone: z.array(z.string().min(1)).optional() }).optional(),
  artifacts: z.strictObject({ url: checked(artifactsFault).nullable().optional() }).optional(),
});

/** One file's content, checked. */
export type ConfigFile = z.infer<typeof configSchema>;
