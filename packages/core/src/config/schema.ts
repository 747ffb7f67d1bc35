import * as z from "zod";
import { DIALECT_NAMES } from "../skill/dialects.ts";
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

export const configSchema = z.strictObject({
  skills: z
    .strictObject({
      enabled: z.boolean().optional(),
      validation: z.enum(["strict", "lenient"]).optional(),
      clients: z.literal("all").optional(),
      locked: z.boolean().optional(),
      duplicates: z.enum(["ambiguous", "nearest"]).optional(),
      roots: z
        .array(
          z.strictObject({
            path: z.string().min(1),
            scope: z.enum(["repo", "user", "bundled"]).optional(),
            dialect: z.enum(DIALECT_NAMES).optional(),
          }),
        )
        .optional(),
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
  store: z.strictObject({ url: z.string().min(1).optional() }).optional(),
  isolation: z.strictObject({ allowNone: z.array(z.string().min(1)).optional() }).optional(),
  artifacts: z.strictObject({ url: z.null().optional() }).optional(),
});

/** One file's content, checked. */
export type ConfigFile = z.infer<typeof configSchema>;
