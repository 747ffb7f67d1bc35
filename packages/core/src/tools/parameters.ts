import * as z from "zod";
import type { Envelope, JsonSchema, Tool, ToolDescription } from "../access/tool.ts";
import type { ListLimits } from "../context/blocks/catalog-block.ts";
import { callsTool } from "../context/load-skill.ts";
import { KnackError, TOOL_ERROR_CODES } from "../shared/errors.ts";
import { fewOf, quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";

/** The parameters of one of Knack's own tools: checked here, described to models by the same schema. */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.strictObject(shape);
  const read = (tool: string, params: unknown): z.infer<typeof schema> => {
    const result = schema.safeParse(params);
    if (result.success) return result.data;
    const known = Object.keys(shape).join(", ");
    const problems = result.error.issues.map((issue) => describe(issue, params));
    throw new KnackError(
      "INVALID_PARAM",
      `${tool}: ${fewOf(problems, { separator: "; " })}. Its parameters are ${known}.`,
    );
  };
  return { inputSchema: jsonSchemaOf(schema), read };
}

/** Where a part of a long text begins; the part before says which. */
export const TEXT_OFFSET = z.int().min(0);

/** The type holds the code to it; hosts are told the JSON Schema. */
export function answerData<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> & { readonly jsonSchema: JsonSchema } {
  const schema = z.strictObject(shape);
  return Object.assign(schema, { jsonSchema: jsonSchemaOf(schema) });
}

/** What a tool that uses skills answers with: of a skill that calls a tool, what that answered. */
export function orToolData(own: JsonSchema): JsonSchema {
  const called = { description: "For a skill that calls a tool: what the tool returned." };
  return { type: "object", anyOf: [own, called] };
}

const MAX_NAMED = 3;

function describe(issue: z.core.$ZodIssue, params: unknown): string {
  if (issue.code === "unrecognized_keys")
    return `unknown parameter ${fewOf(issue.keys.slice(0, MAX_NAMED).map(quote))}`;
  const [key] = issue.path;
  if (key === undefined) return "the parameters must be an object";
  const isMissing = typeof params === "object" && params !== null && !Object.hasOwn(params, key);
  if (isMissing) return `"${String(key)}" is missing`;
  return `"${String(key)}" is not valid: ${issue.message}`;
}

/** A schema as JSON Schema, in the form that most readers know. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { override: withoutNoise });
  return JSON.parse(JSON.stringify(jsonSchema), alternatives);
}

/** Drops what says nothing: safe integers, text keys, any value. */
function withoutNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { propertyNames, additionalProperties: others } = jsonSchema;
  delete jsonSchema.propertyNames;
  if (propertyNames && typeof others === "object" && Object.keys(others).length === 0)
    delete jsonSchema.additionalProperties;
}

/** Not every host and generator of code understands a list of types. */
function alternatives(_key: string, value: { readonly type?: unknown } | null): unknown {
  if (!Array.isArray(value?.type)) return value;
  const { type, ...rest } = value;
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}

const anyObject = z.record(z.string(), z.unknown());

export const envelopeSchema = z.strictObject({
  status: z.enum(["success", "partial", "error"]),
  data: anyObject,
  text: z.string().min(1),
  error: z.strictObject({ code: z.enum(TOOL_ERROR_CODES), message: z.string() }).exactOptional(),
  stats: z.object({ time_ms: z.number() }).catchall(z.union([z.number(), z.string()])),
  context: z.strictObject({
    cwd: z.string(),
    params_input: z.unknown(),
    path_resolved: z.string().exactOptional(),
  }),
}) satisfies z.ZodType<Envelope>;

let described: JsonSchema | undefined;

/** The envelope as JSON Schema; `data` is as the tool says where it did its work, and any object where it refused. */
function envelopeAround(data: JsonSchema = { type: "object" }): JsonSchema {
  described ??= jsonSchemaOf(envelopeSchema);
  return {
    ...described,
    if: { properties: { status: { const: "error" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["error"] },
    else: { properties: { data }, not: { required: ["error"] } },
  };
}

export function describeTool(
  tool: Tool,
  offered: readonly SkillMetadata[],
  limits: ListLimits,
): ToolDescription {
  const { name, description, inputSchema, dataSchema, usesSkills } = tool;
  const callsTools = usesSkills === true && offered.some(callsTool);
  const { readOnly = false, idempotent = false, executes = false, typed, role = "runner", searchHint } = tool;
  return {
    name,
    description: typeof description === "string" ? description : description(offered, limits),
    inputSchema,
    outputSchema: envelopeAround(dataSchema),
    readOnly: readOnly && !callsTools,
    idempotent: idempotent && !callsTools,
    executes: executes || callsTools,
    role,
    typed,
    searchHint,
  };
}
