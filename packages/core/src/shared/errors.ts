import { ERROR_CODES, type ErrorAnswer, type ErrorCode } from "./error-codes.ts";

export interface ErrorDetails extends ErrorOptions {
  readonly candidates?: readonly string[] | undefined;
}

/** The base of all errors of Knack: what is wrong and what to do, for a person or a model to read, and a code for programs. */
export class KnackError extends Error {
  override readonly name: string = "KnackError";
  readonly code: ErrorCode;
  /** Paths of every skill the request could have meant. */
  readonly candidates?: readonly string[];

  constructor(code: ErrorCode, message: string, { candidates, ...options }: ErrorDetails = {}) {
    super(message, options);
    this.code = code;
    if (candidates) this.candidates = candidates;
  }
}

/** What a caller got wrong. Bad content is never one of these: it is a diagnostic. */
export type SkillErrorCode = "NOT_FOUND" | "AMBIGUOUS" | "INVALID_PARAM" | "CONFIG_INVALID" | "CONFLICT";

export class SkillError extends KnackError {
  override readonly name = "SkillError";
  declare readonly code: SkillErrorCode;

  constructor(code: SkillErrorCode, message: string, candidates?: readonly string[]) {
    super(code, message, { candidates });
  }
}

/** The code of anything that was thrown. What no part of Knack made is an internal error. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof KnackError && Object.hasOwn(ERROR_CODES, error.code)
    ? error.code
    : "INTERNAL_ERROR";
}

/** How anything that was thrown is answered. */
export function answerTo(error: unknown): ErrorAnswer {
  return ERROR_CODES[codeOf(error)];
}

/** The operating system's word for a failed call (`ENOENT`), for messages and decisions. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
