import { escapeMessage } from "../context/blocks/escape.ts";
import { answerTo, KnackError, TOOL_ERROR_CODES, type ToolErrorCode } from "../shared/errors.ts";
import { boundedMessage, fewCandidates } from "../shared/quote.ts";

/** What every tool answers (document 001, "Tool response envelope"; the table is in docs/tools.md). */

export function isToolErrorCode(code: unknown): code is ToolErrorCode {
  return TOOL_ERROR_CODES.some((known) => known === code);
}

export type Data = Readonly<Record<string, unknown>>;

export interface Envelope {
  readonly status: "success" | "partial" | "error";
  readonly data: Data;
  /** For the model to read: what happened, then, unless all is well, what to do next. */
  readonly text: string;
  /** Present exactly when the status is `error`. */
  readonly error?: { readonly code: ToolErrorCode; readonly message: string };
  readonly stats: { readonly time_ms: number; readonly [name: string]: number | string };
  readonly context: {
    /** Relative to the project root. */
    readonly cwd: string;
    /** As they were given. */
    readonly params_input: unknown;
    readonly path_resolved?: string;
  };
}

/** What a tool has to say when it did its work; the rest of the envelope is the same for all of them. */
export interface ToolResult {
  /** `data.truncated: true` and `data.applied: false` make the answer `partial`; `partial` here says so for other reasons. */
  readonly partial?: boolean;
  readonly data: Data;
  readonly text: string;
  readonly stats?: Readonly<Record<string, number | string>>;
  readonly pathResolved?: string;
}

/** A tool's refusal. What is wrong with a call is an answer to the model, never an exception for the host. */
export class ToolError extends KnackError {
  override readonly name = "ToolError";
  declare readonly code: ToolErrorCode;
  /** What the envelope has besides the error. */
  readonly data: Data;

  constructor(code: ToolErrorCode, message: string, data: Data = {}) {
    super(code, message, { candidates: Array.isArray(data?.candidates) ? data.candidates : undefined });
    this.data = data;
  }
}

/** Anything that was thrown, as a tool's refusal. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const { candidates } = error instanceof KnackError ? error : {};
  return new ToolError(answerTo(error).tool, message, candidates ? { candidates } : {});
}

/** Everything an answer needs that the tool itself does not know. */
export interface CallFrame {
  readonly cwd: string;
  readonly params: unknown;
  readonly timeMs: number;
}

export function answered(result: ToolResult, frame: CallFrame): Envelope {
  const { data, text, stats, pathResolved } = result;
  const isPartial = result.partial || data.truncated === true || data.applied === false;
  return {
    status: isPartial ? "partial" : "success",
    data,
    text,
    stats: { ...stats, time_ms: frame.timeMs },
    context: contextOf(frame, pathResolved),
  };
}

export function refused(error: ToolError, frame: CallFrame): Envelope {
  const { code, data } = error;
  const message = boundedMessage(error.message);
  const candidates = Array.isArray(data.candidates) ? fewCandidates(data.candidates) : {};
  return {
    status: "error",
    data: { ...data, ...candidates },
    // A message may quote what a skill says.
    text: `Error: ${escapeMessage(message)}`,
    error: { code, message },
    stats: { time_ms: frame.timeMs },
    context: contextOf(frame, undefined),
  };
}

function contextOf({ cwd, params }: CallFrame, pathResolved: string | undefined): Envelope["context"] {
  const context = { cwd, params_input: params ?? {} };
  return pathResolved === undefined ? context : { ...context, path_resolved: pathResolved };
}
