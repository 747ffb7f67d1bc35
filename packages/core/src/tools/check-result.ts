import { isToolErrorCode, ToolError, type ToolResult } from "../access/envelope.ts";

/**
 * What a tool returned, as the envelope needs it. Tools come from hosts, and what a host gets wrong must neither break
 * the rules of the envelope nor the line that it is sent by. Throws `ToolError`.
 */
export function checkResult(tool: string, result: unknown): ToolResult {
  const wrong = (what: string): ToolError =>
    new ToolError("INTERNAL_ERROR", `The tool ${tool} returned an invalid result: ${what}.`);
  if (!isRecord(result)) throw wrong("it is not an object");
  const { data, text, stats = {}, pathResolved, partial } = result;
  if (!isRecord(data)) throw wrong("data is not an object");
  if (typeof text !== "string" || text === "") throw wrong("text is missing or empty");
  if (!isStatistics(stats)) throw wrong("stats must be numbers or text");
  if (pathResolved !== undefined && typeof pathResolved !== "string")
    throw wrong("pathResolved must be text");
  const fault = jsonFault(data);
  if (fault !== undefined) throw wrong(`data cannot be written as JSON (${fault})`);
  return {
    data,
    text,
    stats,
    partial: partial === true,
    ...(pathResolved === undefined ? {} : { pathResolved }),
  };
}

/** A refusal with a code, a message and data that can be sent. */
export function checkRefusal({ code, message, data }: ToolError): ToolError {
  return new ToolError(
    isToolErrorCode(code) ? code : "INTERNAL_ERROR",
    message === "" ? "The tool failed and gave no reason." : message,
    isRecord(data) && jsonFault(data) === undefined ? data : {},
  );
}

function isStatistics(stats: unknown): stats is NonNullable<ToolResult["stats"]> {
  return (
    isRecord(stats) &&
    Object.values(stats).every((value) => Number.isFinite(value) || typeof value === "string")
  );
}

function jsonFault(data: unknown): string | undefined {
  try {
    JSON.stringify(data);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
