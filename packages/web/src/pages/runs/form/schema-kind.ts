/** How a JSON Schema becomes a field of a form. */

export type Schema = Readonly<Record<string, unknown>>;
export type FieldKind = "choice" | "switch" | "number" | "text" | "list" | "group" | "json";

/** The kind of field; "json" for what a form cannot show otherwise, such as any value or one of several shapes. */
export function fieldKind(schema: Schema): FieldKind {
  if (Array.isArray(schema.enum)) return "choice";
  if ("const" in schema) return "choice";
  if (["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((word) => word in schema)) return "json";
  const type = typeOf(schema);
  if (type === "boolean") return "switch";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  if (type === "array") return isSchema(schema.items) && fieldKind(schema.items) !== "json" ? "list" : "json";
  if (type === "object" || isSchema(schema.properties))
    return Object.keys(propertiesOf(schema)).length > 0 ? "group" : "json";
  return "json";
}

/** `type` may be a list; null beside another type only says that it may be missing. */
function typeOf({ type }: Schema): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (!isSchema(schema.properties)) return {};
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, one]) => [name, isSchema(one) ? one : {}]),
  );
}

export function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

export function choicesOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema.enum) ? schema.enum : [schema.const];
}

/** What the field shows at first: the schema's default. */
export function initialValue(schema: Schema): unknown {
  if ("default" in schema) return schema.default;
  if (fieldKind(schema) !== "group") return undefined;
  const values = Object.entries(propertiesOf(schema)).map(([name, one]) => [name, initialValue(one)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The value without what was left empty; a group with nothing in it is left out too. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutEmpty(one) ?? null);
  if (!isSchema(value)) return value;
  const filled = Object.entries(value)
    .map(([name, one]) => [name, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined);
  return filled.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(filled);
}

/** A number as it was typed; text that is no number stays, so that the server can say what is wrong. */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
