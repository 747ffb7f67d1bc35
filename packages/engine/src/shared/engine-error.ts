/** Why a run, a plan or a change was refused before anything happened. A run that happened and failed is a record. */
export type EngineErrorCode =
  | "NOT_FOUND"
  | "ACCESS_DENIED"
  | "PERMISSION_DENIED"
  | "INVALID_PARAM"
  | "EXECUTION_ERROR"
  | "CONFLICT";

export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  readonly candidates?: readonly string[];

  constructor(code: EngineErrorCode, message: string, candidates?: readonly string[]) {
    super(message);
    this.code = code;
    if (candidates) this.candidates = candidates;
  }
}
