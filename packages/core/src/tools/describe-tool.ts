import type { Tool, ToolDescription } from "../access/tool.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { envelopeAround } from "./envelope-schema.ts";

/** A tool as a model's host announces it. */
export function describeTool(
  tool: Tool,
  offered: readonly SkillMetadata[],
  env: NodeJS.ProcessEnv,
): ToolDescription {
  const { name, description, inputSchema, dataSchema } = tool;
  const { readOnly = false, idempotent = false, executes = false, typed } = tool;
  return {
    name,
    description: typeof description === "string" ? description : description(offered, env),
    inputSchema,
    outputSchema: envelopeAround(dataSchema),
    readOnly,
    idempotent,
    executes,
    ...(typed ? { typed } : {}),
  };
}
