import type { JsonObject, JsonValue } from "../json/plain-json.ts";

const DRAFTS: ReadonlyMap<string, "draft-07" | "2020-12"> = new Map([
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** Keywords that contain data, and keywords that contain named schemas. */
const DATA = new Set(["enum", "const", "default", "examples"]);
const NAMED = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const REFERENCES = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

export interface SchemaFacts {
  readonly draft: "draft-07" | "2020-12";
  readonly hasReferences: boolean;
}

/** Checks an untrusted schema before it is compiled: it must describe an object and have no external references. */
export function checkSchema(schema: JsonObject): SchemaFacts | { readonly problem: string } {
  const { $schema, type } = schema;
  const named = typeof $schema === "string" ? DRAFTS.get($schema.replace(/#$/, "")) : undefined;
  const draft = $schema === undefined ? "2020-12" : named;
  if (!draft) return { problem: `"$schema" must be draft-07 or 2020-12.` };
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
    return { problem: 'its "type" must be object.' };
  }
  const seen = { references: false };
  const problem = walk(schema, true, seen);
  return problem ? { problem } : { draft, hasReferences: seen.references };
}

function walk(schema: JsonValue, isRoot: boolean, seen: { references: boolean }): string | undefined {
  if (Array.isArray(schema)) return first(schema, (item) => walk(item, false, seen));
  if (typeof schema !== "object" || schema === null) return undefined;
  return first(Object.entries(schema), ([key, value]) => {
    if (REFERENCES.has(key)) {
      seen.references = true;
      if (typeof value === "string" && value.startsWith("#")) return undefined;
      return `"${key}" must point into the schema itself ("#/…"); other schemas are not fetched.`;
    }
    if (key === "$id" && !isRoot) return `"$id" inside a schema is not supported.`;
    if (key === "$async") return `"$async" is not supported.`;
    if (DATA.has(key)) return undefined;
    if (NAMED.has(key) && typeof value === "object" && value !== null) {
      return first(Object.values(value), (named) => walk(named, false, seen));
    }
    return walk(value, false, seen);
  });
}

function first<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem) return problem;
  }
  return undefined;
}
