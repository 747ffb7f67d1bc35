import * as z from "zod";
import type { Envelope } from "../access/envelope.ts";
import type { JsonSchema } from "../access/tool.ts";
import { TOOL_ERROR_CODES } from "../shared/error-codes.ts";
import { jsonSchemaOf } from "./json-schema.ts";

const anyObject = z.record(z.string(), z.unknown());

export const envelopeSchema = z.strictObject({
  status: z.enum(["success", "partial", "error"]),
  data: anyObject,
  text: z.string().min(1),
  error: z.strictObject({ code: z.enum(TOOL_ERROR_CODES), message: z.string() }).exactOptional(),
  stats: z.object({ time_ms: z.number() }).catchall(z.union([z.number(), z.string()])),
  context: z.strictObject({
    cwd: z.string(),
    params_input: anyObject,
    path_resolved: z.string().exactOptional(),
  }),
}) satisfies z.ZodType<Envelope>;

let described: JsonSchema | undefined;

/** The envelope as JSON Schema; `data` is as the tool says where it did its work, and any object where it refused. */
export function envelopeAround(data: JsonSchema = { type: "object" }): JsonSchema {
  described ??= jsonSchemaOf(envelopeSchema);
  return {
    ...described,
    if: { properties: { status: { const: "error" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["error"] },
    else: { properties: { data }, not: { required: ["error"] } },
  };
}
