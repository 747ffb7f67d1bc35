import * as z from "zod";
import { DIALECT_NAMES } from "./dialects.ts";

/** The public shapes, schema first; the types are inferred from them. */

export const skillScopeSchema = z.enum(["repo", "user", "bundled"]);
export type SkillScope = z.infer<typeof skillScopeSchema>;

/** What a skill may declare beyond its name and description. A key that is not declared is absent. */
export const skillFactsSchema = z.object({
  invocationMode: z.enum(["prompt_rewrite", "tool_dispatch"]).optional(),
  command: z.string().optional(),
  commandTool: z.string().optional(),
  requiresTools: z.array(z.string()).optional(),
  eligibility: z
    .object({
      os: z.array(z.string()).optional(),
      env: z.array(z.string()).optional(),
      binaries: z.array(z.string()).optional(),
    })
    .optional(),
  allowedTools: z.array(z.string()).optional(),
  disableModelInvocation: z.boolean().optional(),
  /** `false` where people get no command for it. */
  userInvocable: z.literal(false).optional(),
  /** From `agents/openai.yaml`, for people to read. */
  displayName: z.string().optional(),
  shortDescription: z.string().optional(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  version: z.string().optional(),
});
export type SkillFacts = z.infer<typeof skillFactsSchema>;

export const skillMetadataSchema = z.object({
  /** A stable hash of the canonical path. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Canonical absolute path of the `SKILL.md`. */
  path: z.string(),
  /** The skill's base directory. */
  dir: z.string(),
  scope: skillScopeSchema,
  mtimeMs: z.number(),
  dialect: z.enum(DIALECT_NAMES),
  /** The client whose folder it was found in; absent in Knack's own folders. */
  client: z.string().optional(),
  /** Where the same skill was found, its own `path` first; absent where that is the only place. */
  places: z.array(z.string()).optional(),
  ...skillFactsSchema.shape,
});
export type SkillMetadata = z.infer<typeof skillMetadataSchema>;

export const skillLoadErrorSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  line: z.number().optional(),
});
export type SkillLoadError = z.infer<typeof skillLoadErrorSchema>;

export const skillCatalogSchema = z.object({
  skills: z.array(skillMetadataSchema),
  errors: z.array(skillLoadErrorSchema),
  warnings: z.array(skillLoadErrorSchema),
  truncated: z.boolean(),
  snapshot_version: z.number().int().positive(),
});
export type SkillCatalog = z.infer<typeof skillCatalogSchema>;
