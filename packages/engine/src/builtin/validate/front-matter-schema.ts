import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { linearRegExp } from "../../shared/linear-regexp.ts";
import { MAX_BUSY_MS, withinTime } from "../../shared/within-time.ts";
import { Failure } from "../failure.ts";

const MAX_SCHEMA_CHARS = 256 * 1024;

export interface SchemaFinding {
  readonly path: readonly string[];
  readonly message: string;
}

/** Checks data by a JSON Schema (2020-12 unless it says draft 7), which can refer to nothing but itself. */
export function checkBySchema(schema: object, data: unknown): SchemaFinding[] {
  refuseForeign(schema);
  try {
    const checked = withinTime(() => {
      const validate = makeAjv(schema).compile(schema);
      validate(data);
      return validate.errors ?? [];
    });
    if (checked) return checked.value.map(toFinding);
  } catch (error) {
    throw invalid((error as Error).message);
  }
  throw invalid(`checking took more than ${MAX_BUSY_MS / 1000} seconds`);
}

function makeAjv(schema: object): Ajv | Ajv2020 {
  const options: Options = {
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    // References that each lead to ten more would be written out before the time limit is asked.
    inlineRefs: false,
    code: { regExp: linearRegExp },
  };
  const draft = (schema as { $schema?: unknown }).$schema;
  return typeof draft === "string" && draft.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
}

function refuseForeign(schema: object): void {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (/^\$(?:dynamic|recursive)?ref$/i.test(key) && typeof value === "string" && !value.startsWith("#")) {
      throw invalid(
        `$ref "${value.slice(0, 100)}" points outside the schema; only references inside it (#…) are supported`,
      );
    }
    return value;
  });
  if (text.length > MAX_SCHEMA_CHARS) throw invalid(`it has more than ${MAX_SCHEMA_CHARS} characters`);
}

function toFinding({ instancePath, message = "is not valid", params }: ErrorObject): SchemaFinding {
  const path = instancePath.split("/").slice(1).map(unescapePointer);
  const detail = params as {
    missingProperty?: string;
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  const where = path.length === 0 ? "The front matter" : `"${path.join(".")}"`;
  if (detail.additionalProperty !== undefined) {
    return {
      path: [...path, detail.additionalProperty],
      message: `"${detail.additionalProperty}" is not allowed here.`,
    };
  }
  const allowed = detail.allowedValues ? `: ${JSON.stringify(detail.allowedValues).slice(0, 200)}` : "";
  return { path, message: `${where} ${message}${allowed}.` };
}

function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function invalid(why: string): Failure {
  const reason = why.replace(/\s+/g, " ").slice(0, 300);
  return new Failure("SCHEMA_INVALID", `The parameter schema cannot be used: ${reason}.`);
}
