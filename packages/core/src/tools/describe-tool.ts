import type { JsonSchema, Tool, ToolDescription } from "../access/tool.ts";
import { TOOL_ERROR_CODES } from "../shared/error-codes.ts";
import type { SkillMetadata } from "../skill/schema.ts";

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
    outputSchema: envelopeSchema(dataSchema),
    readOnly,
    idempotent,
    executes,
    ...(typed ? { typed } : {}),
  };
}

/** The envelope; `data` is as the tool says where it did its work, and any object where it refused. */
function envelopeSchema(data: JsonSchema = { type: "object" }): JsonSchema {
  return {
    type: "object",
    properties: {
      status: { enum: ["success", "partial", "error"] },
      data: { type: "object" },
      text: { type: "string", minLength: 1 },
      error: {
        type: "object",
        properties: { code: { enum: [...TOOL_ERROR_CODES] }, message: { type: "string" } },
        required: ["code", "message"],
        additionalProperties: false,
      },
      stats: {
        type: "object",
        properties: { time_ms: { type: "number" } },
        required: ["time_ms"],
        additionalProperties: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
      context: {
        type: "object",
        properties: {
          cwd: { type: "string" },
          params_input: { type: "object" },
          path_resolved: { type: "string" },
        },
        required: ["cwd", "params_input"],
        additionalProperties: false,
      },
    },
    required: ["status", "data", "text", "stats", "context"],
    additionalProperties: false,
    if: { properties: { status: { const: "error" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["error"] },
    else: { properties: { data }, not: { required: ["error"] } },
  };
}
