import * as z from "zod";
import { ToolError } from "../access/envelope.ts";
import type { JsonSchema } from "../access/tool.ts";
import { fewOf } from "../shared/few-of.ts";
import { quote } from "../shared/quote.ts";
import { jsonSchemaOf } from "./json-schema.ts";

/** The parameters of one of Knack's own tools: checked here, described to models by the same schema. */
export interface Parameters<T> {
  readonly inputSchema: JsonSchema;
  read(tool: string, params: unknown): T;
}

export function parameters<Shape extends z.ZodRawShape>(
  shape: Shape,
): Parameters<z.infer<z.ZodObject<Shape>>> {
  const schema = z.strictObject(shape);
  return {
    inputSchema: jsonSchemaOf(schema),
    read: (tool, params) => {
      const result = schema.safeParse(params);
      if (result.success) return result.data as z.infer<z.ZodObject<Shape>>;
      const known = Object.keys(shape).join(", ");
      const problems = result.error.issues.map((issue) => describe(issue, params));
      throw new ToolError(
        "INVALID_PARAM",
        `${tool}: ${fewOf(problems, { separator: "; " })}. Its parameters are ${known}.`,
      );
    },
  };
}

/** Where a part of a long text begins; the part before says which. */
export const OFFSET = z.int().min(0);

/** What a tool answers with, in `data`. The type holds the code to it, the JSON Schema is what hosts are told. */
export function answer<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> & { readonly jsonSchema: JsonSchema } {
  const schema = z.strictObject(shape);
  return Object.assign(schema, { jsonSchema: jsonSchemaOf(schema) });
}

/** Of many that are unknown a few are enough. */
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
