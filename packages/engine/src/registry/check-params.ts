import { nearest, quote } from "@knack/core/text";
import type { ErrorObject } from "ajv";
import { type JsonObject, type JsonValue, toPlainJson } from "../json/json.ts";
import { type CompiledSchema, compileSchema, pathOf } from "../json/json-schema.ts";

const MAX_PROBLEMS = 20;
const ENDLESS = "params: checking them against the schema timed out.";

/** A frozen copy with the schema's defaults, and what is wrong at which keys; without faults a skill gets the copy. */
export type CheckParams = (params: unknown) => {
  readonly params: JsonObject;
  readonly faults: readonly { readonly at: readonly string[]; readonly message: string }[];
};

const known = new WeakMap<object, CheckParams | { readonly problem: string }>();

/** Compiles a `params.schema`. Parameters must be declared: `{}` declares none. */
export function paramsChecker(schema: object): CheckParams | { readonly problem: string } {
  const made = known.get(schema) ?? compile(schema);
  known.set(schema, made);
  return made;
}

function compile(given: object): CheckParams | { problem: string } {
  const compiled = compileSchema(given, true);
  if ("problem" in compiled) return compiled;
  const { type } = compiled.schema;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object")))
    return { problem: 'its "type" must be object.' };
  const check: CheckParams = (params) => examine(params, compiled);
  // An empty object: only a default can be wrong below the top level, and only the schema can make the check endless.
  const messages = check({}).faults.map(({ message }) => message);
  if (messages.includes(ENDLESS)) return { problem: "checking a value against it times out." };
  const problem = messages.find((text) => !text.startsWith("params:"));
  return problem ? { problem: `a default is invalid: ${problem}` } : check;
}

function examine(given: unknown, compiled: CompiledSchema): ReturnType<CheckParams> {
  const whole = (message: string) => ({ params: {}, faults: [{ at: [], message }] });
  const copy = toPlainJson(given, "params");
  if ("problem" in copy) return whole(copy.problem);
  const { value, count } = copy;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return whole("params: must be an object with the parameters by name.");
  const errors = compiled.errorsOf(value, count);
  if (!errors) return whole(ENDLESS);
  const names = Object.keys(compiled.schema.properties ?? {});
  const found = new Map(errors.map((error) => [sentence(error, names), error]));
  const faults = [...found].map(([message, error]) => ({ at: pathOf(error), message }));
  return { params: frozen(value) as JsonObject, faults: faults.slice(0, MAX_PROBLEMS) };
}

function sentence({ instancePath, keyword, params, message }: ErrorObject, names: readonly string[]): string {
  const where = `params${instancePath}`;
  const unknown: unknown = params.unevaluatedProperty ?? params.additionalProperty;
  if (typeof unknown === "string") {
    const guess = nearest(unknown, names);
    return `${where}: unknown parameter ${quote(unknown)}${guess ? `; did you mean "${guess}"?` : "."}`;
  }
  const allowed = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues).slice(0, 200)}` : "";
  return `${where}: ${message ?? keyword}${allowed}.`;
}

/** Back to ordinary, frozen objects. No key is `__proto__`: the copy refused it. */
function frozen(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozen));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozen(item)])));
}
