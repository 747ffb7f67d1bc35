import * as z from "zod";

/** A schema as JSON Schema, in the form that most readers know. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { override: withoutNoise });
  return JSON.parse(JSON.stringify(jsonSchema), alternatives);
}

/** That a whole number is one that JavaScript can count to, that keys are text, that a value may be anything. */
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
