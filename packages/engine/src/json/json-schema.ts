import { Ajv, type ErrorObject, type ValidateFunction, type Vocabulary } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import unevaluated from "ajv/dist/vocabularies/unevaluated/index.js";
import { RE2JS } from "re2js";
import { withinTime } from "../shared/within-time.ts";
import { type JsonObject, type JsonValue, toPlainJson } from "./json.ts";

/** Node and bundlers see the default export of a CommonJS module differently. */
const VOCABULARY = ("default" in unevaluated ? unevaluated.default : unevaluated) as Vocabulary;

const MAX_SCHEMA_CHARACTERS = 256 * 1024;
const LIMIT_MS = 1_000;
/** Without references a check takes time by the size of schema and value; above this many values, it has a time limit. */
const MANY_VALUES = 1_000;

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020_12 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

export interface CompiledSchema {
  readonly schema: JsonObject;
  /** What is wrong with a value; `undefined` if checking it takes too long, as with a schema that refers to itself. */
  errorsOf(value: unknown, count?: number): readonly ErrorObject[] | undefined;
}

/**
 * Compiles an untrusted schema, which can refer to itself alone; patterns run in linear time, formats are not checked.
 * `forParams`: fills defaults in, and properties must be declared unless the schema says otherwise.
 */
export function compileSchema(
  given: object,
  forParams: boolean,
): CompiledSchema | { readonly problem: string } {
  const copy = toPlainJson(given, "schema");
  if ("problem" in copy) return copy;
  const schema = copy.value as JsonObject;
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_CHARACTERS)
    return { problem: `it has more than ${MAX_SCHEMA_CHARACTERS} characters.` };
  const { $id, $schema, ...rest } = schema;
  const isOld = DRAFT_07.test(String($schema));
  if ($schema !== undefined && !isOld && !DRAFT_2020_12.test(String($schema)))
    return { problem: `"$schema" must be draft-07 or 2020-12.` };
  const problem = problemIn(schema, true);
  if (problem) return { problem };
  const isOpen = !forParams || "additionalProperties" in rest || "unevaluatedProperties" in rest;
  const whole = isOpen ? rest : { ...rest, unevaluatedProperties: false };
  const ajv = compilerFor(isOld, forParams);
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(whole);
  } catch (error) {
    return { problem: `it is not a valid JSON Schema: ${error instanceof Error ? error.message : error}.` };
  }
  // Compilers cache every schema; here the caller keeps its own compiled one.
  ajv.removeSchema(whole);
  const hasReferences = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text);
  return {
    schema,
    errorsOf(value, count = Number.POSITIVE_INFINITY) {
      const check = () => validate(value);
      const valid = hasReferences || count > MANY_VALUES ? inTime(check) : check();
      return valid === undefined ? undefined : (validate.errors ?? []);
    },
  };
}

/** The path of the value that an error is about: keys and list indexes; for an unknown property its own path. */
export function pathOf({ instancePath, params }: ErrorObject): string[] {
  const keys = instancePath.split("/").slice(1);
  const unknown: unknown = params.unevaluatedProperty ?? params.additionalProperty;
  const path = keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return typeof unknown === "string" ? [...path, unknown] : path;
}

/** Keywords that contain data, and keywords that contain named schemas. */
const DATA = new Set(["enum", "const", "default", "examples"]);
const NAMED = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies".split(" "),
);
const REFERENCES = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

function problemIn(schema: JsonValue, isRoot: boolean): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  for (const [key, value] of Object.entries<JsonValue>(schema as JsonObject)) {
    if (REFERENCES.has(key)) {
      if (typeof value === "string" && value.startsWith("#")) continue;
      return `"${key}" must point into the schema itself ("#/…"); other schemas are not fetched.`;
    }
    if (key === "$id" && !isRoot) return `"$id" inside a schema is not supported.`;
    if (key === "$async") return `"$async" is not supported.`;
    if (DATA.has(key)) continue;
    const inner =
      NAMED.has(key) && typeof value === "object" && value !== null ? Object.values(value) : [value];
    for (const one of inner) {
      const problem = problemIn(one, false);
      if (problem) return problem;
    }
  }
  return undefined;
}

const compilers = new Map<string, Ajv>();

function compilerFor(isOld: boolean, useDefaults: boolean): Ajv {
  const known = compilers.get(`${isOld} ${useDefaults}`);
  if (known) return known;
  const options = {
    strict: false,
    allErrors: true,
    useDefaults,
    ownProperties: true,
    validateFormats: false,
    unevaluated: true,
    // The compiler checks the keywords it uses; validating against the meta-schema would cost ten times as much.
    meta: false,
    validateSchema: false,
    // References that each lead to ten more would be written out before the time limit is asked.
    inlineRefs: false,
    logger: false as const,
    code: { regExp: linearRegExp },
  };
  const made = isOld ? new Ajv(options).addVocabulary(VOCABULARY) : new Ajv2020(options);
  compilers.set(`${isOld} ${useDefaults}`, made);
  return made;
}

function inTime(check: () => boolean): boolean | undefined {
  try {
    return withinTime(check, LIMIT_MS)?.value;
  } catch (error) {
    // Compare the name: an error from another context is not an instance of our classes.
    if ((error as { name?: unknown }).name === "RangeError") return undefined;
    throw error;
  }
}

/** No pattern can keep the process busy; what such an engine cannot do (looking around, referring back) throws. */
function linearRegExp(pattern: string) {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // Ajv tells expressions apart by what they are as a string.
    return { test: (text: string) => compiled.test(text), toString: () => pattern };
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, "");
    throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 80))} cannot be used: ${reason}`);
  }
}
linearRegExp.code = "linearRegExp";
