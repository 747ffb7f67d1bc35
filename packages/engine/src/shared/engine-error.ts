import { type ErrorCode, KnackError } from "@knack/core/text";

/** Why a run, a plan or a change was refused before anything happened. A run that happened and failed is a record. */
export type EngineErrorCode = Extract<
  ErrorCode,
  "NOT_FOUND" | "ACCESS_DENIED" | "PERMISSION_DENIED" | "INVALID_PARAM" | "EXECUTION_ERROR" | "CONFLICT"
>;

export class EngineError extends KnackError {
  override readonly name = "EngineError";
  declare readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, candidates?: readonly string[]) {
    super(code, message, { candidates });
  }
}
