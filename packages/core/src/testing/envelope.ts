import { TOOL_ERROR_CODES } from "../shared/errors.ts";
import { isRecord } from "../shared/json.ts";

/** Every rule of the tool envelope that a value breaks, a sentence each; none where it is a good answer. */
export function checkEnvelope(value: unknown): string[] {
  if (!isRecord(value)) return ["An envelope is an object."];
  const problems: string[] = [];
  const expect = (holds: boolean, rule: string): void => {
    if (!holds) problems.push(rule);
  };
  const { status, data, text, error, stats, context } = value;
  const unknown = Object.keys(value).filter((key) => !KEYS.has(key));
  expect(
    unknown.length === 0,
    `No other top-level field than ${[...KEYS].join(", ")}: found ${unknown.join(", ")}.`,
  );
  expect(
    status === "success" || status === "partial" || status === "error",
    "status is success, partial or error.",
  );
  expect(typeof text === "string" && text !== "", "text is there for the model to read.");
  expect(isRecord(data), "data is an object, never null.");
  if (isRecord(data)) {
    expect(
      data.truncated !== true || status !== "success",
      "data.truncated: true comes with status partial.",
    );
    expect(
      data.applied !== false || status !== "success",
      "data.applied: false (a dry run) comes with status partial.",
    );
  }
  expect("error" in value === (status === "error"), "error is there exactly when status is error.");
  if ("error" in value) problems.push(...checkError(error));
  expect(isRecord(stats) && isTime(stats.time_ms), "stats.time_ms is a number from 0 on.");
  if (isRecord(stats)) {
    const plain = Object.values(stats).every((entry) => Number.isFinite(entry) || typeof entry === "string");
    expect(plain, "stats are numbers or strings.");
  }
  problems.push(...checkContext(context));
  return problems;
}

const KEYS: ReadonlySet<string> = new Set(["status", "data", "text", "error", "stats", "context"]);
const CODES: ReadonlySet<unknown> = new Set(TOOL_ERROR_CODES);

function checkError(error: unknown): string[] {
  if (!isRecord(error)) return ["error is {code, message}."];
  const problems: string[] = [];
  if (!CODES.has(error.code)) problems.push(`error.code is a known code: found ${String(error.code)}.`);
  if (typeof error.message !== "string" || error.message === "")
    problems.push("error.message says what is wrong.");
  if (Object.keys(error).length !== 2) problems.push("error has code and message and nothing else.");
  return problems;
}

function checkContext(context: unknown): string[] {
  if (!isRecord(context)) return ["context is an object."];
  const problems: string[] = [];
  const { cwd, params_input, path_resolved } = context;
  if (typeof cwd !== "string" || cwd === "" || cwd.startsWith("/"))
    problems.push("context.cwd is relative to the project root.");
  if (params_input === undefined || params_input === null)
    problems.push("context.params_input is as it was given.");
  if ("path_resolved" in context && typeof path_resolved !== "string")
    problems.push("context.path_resolved is a path.");
  return problems;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
