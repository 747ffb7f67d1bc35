import { nearest, quote } from "@knack/core/internal/engine";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import unevaluated from "ajv/dist/vocabularies/unevaluated/index.js";
import { type JsonObject, type JsonValue, toPlainJson } from "../json/plain-json.ts";
import { linearRegExp } from "../shared/linear-regexp.ts";
import { withinTime } from "../shared/within-time.ts";
import { checkSchema } from "./check-schema.ts";

const MAX_SCHEMA_CHARACTERS = 256 * 1024;
const MAX_PROBLEMS = 20;
/** Without references the time of a check is proportional to schema and value; above this many values, use a time limit. */
const MANY_VALUES = 1_000;
const LIMIT_MS = 1_000;

const ENDLESS = "params: checking them against the schema timed out.";

/** What is wrong with a parameter, and its path: keys and list indexes. */
export interface ParamFault {
  readonly at: readonly string[];
  readonly message: string;
}

type CheckedParams = { readonly params: JsonObject } | { readonly problems: readonly string[] };

export interface ParamsChecker {
  /** A frozen copy with the schema's defaults, or what is wrong with which parameter. */
  check(params: unknown): CheckedParams;
  /** All faults with their paths; empty if there are none. */
  faults(params: unknown): readonly ParamFault[];
}

const known = new WeakMap<object, ParamsChecker | { readonly problem: string }>();

/**
 * Compiles a `params.schema`. Parameters must be declared: unless the schema sets `additionalProperties` or
 * `unevaluatedProperties`, an unknown one is refused, and `{}` declares none. Formats are not checked; patterns run in
 * linear time.
 */
export function paramsChecker(schema: object): ParamsChecker | { readonly problem: string } {
  const made = known.get(schema) ?? compile(schema);
  known.set(schema, made);
  return made;
}

const compilers = new Map<"draft-07" | "2020-12", Ajv>();

function compile(given: object): ParamsChecker | { problem: string } {
  const copy = toPlainJson(given, "schema");
  if ("problem" in copy) return copy;
  const schema = copy.value as JsonObject;
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) {
    return { problem: `it has more than ${MAX_SCHEMA_CHARACTERS} characters.` };
  }
  const facts = checkSchema(schema);
  if ("problem" in facts) return facts;
  const { $id, $schema, ...rest } = schema;
  const closed = "additionalProperties" in rest || "unevaluatedProperties" in rest;
  const whole = closed ? rest : { ...rest, unevaluatedProperties: false };
  const ajv = compilers.get(facts.draft) ?? makeAjv(facts.draft);
  compilers.set(facts.draft, ajv);
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(whole);
  } catch (error) {
    return { problem: `it is not a valid JSON Schema: ${error instanceof Error ? error.message : error}.` };
  }
  // Compilers cache every schema; here the skill keeps its own compiled one.
  ajv.removeSchema(whole);
  const checker = makeChecker(validate, facts.hasReferences, Object.keys(schema.properties ?? {}));
  return faultOf(checker) ?? checker;
}

/** Checks an empty object: only a default can be wrong below the top level, and only the schema can make the check endless. */
function faultOf(checker: ParamsChecker): { problem: string } | undefined {
  const checked = checker.check({});
  if ("params" in checked) return undefined;
  if (checked.problems.includes(ENDLESS)) return { problem: "checking a value against it times out." };
  const problem = checked.problems.find((text) => !text.startsWith("params:"));
  return problem ? { problem: `a default is invalid: ${problem}` } : undefined;
}

function makeAjv(draft: "draft-07" | "2020-12"): Ajv {
  const options = {
    strict: false,
    allErrors: true,
    useDefaults: true,
    ownProperties: true,
    validateFormats: false,
    unevaluated: true,
    // The compiler checks the keywords it uses; validating against the meta-schema would cost ten times as much.
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    logger: false as const,
    code: { regExp: linearRegExp },
  };
  if (draft === "2020-12") return new Ajv2020(options);
  return new Ajv(options).addVocabulary(unevaluated.default ?? unevaluated);
}

function makeChecker(
  validate: ValidateFunction,
  hasReferences: boolean,
  names: readonly string[],
): ParamsChecker {
  const examine = (given: unknown): { params: JsonObject } | { faults: readonly ParamFault[] } => {
    const whole = (message: string) => ({ faults: [{ at: [], message }] });
    const copy = toPlainJson(given, "params");
    if ("problem" in copy) return whole(copy.problem);
    const { value, count } = copy;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return whole("params: must be an object with the parameters by name.");
    }
    const run = () => validate(value);
    const valid = hasReferences || count > MANY_VALUES ? verdict(run) : run();
    if (valid === undefined) return whole(ENDLESS);
    if (valid) return { params: frozen(value) as JsonObject };
    const found = new Map((validate.errors ?? []).map((error) => [sentence(error, names), error]));
    const faults = [...found].map(([message, error]) => ({ at: placeOf(error), message }));
    return { faults: faults.slice(0, MAX_PROBLEMS) };
  };
  return {
    check(given) {
      const examined = examine(given);
      if ("params" in examined) return examined;
      return { problems: examined.faults.map(({ message }) => message) };
    },
    faults(given) {
      const examined = examine(given);
      return "params" in examined ? [] : examined.faults;
    },
  };
}

/** The path of a JSON pointer; for an unknown parameter its own path. */
function placeOf({ instancePath, params }: ErrorObject): string[] {
  const keys = instancePath.split("/").slice(1);
  const unknown: unknown = params.unevaluatedProperty ?? params.additionalProperty;
  const decoded = keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return typeof unknown === "string" ? [...decoded, unknown] : decoded;
}

/** The result of a check; `undefined` if it takes too long or runs out of stack, as with a schema that refers to itself. */
function verdict(check: () => boolean): boolean | undefined {
  try {
    return withinTime(check, LIMIT_MS)?.value;
  } catch (error) {
    // Compare the name: an error from another context is not an instance of our classes.
    if ((error as { name?: unknown }).name === "RangeError") return undefined;
    throw error;
  }
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
