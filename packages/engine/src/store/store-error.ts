import { type ErrorCode, KnackError } from "@knack/core/internal/engine";

/**
 * `DISK_FULL`, `BUSY`, `CORRUPT`, `READONLY` and `IO` come from the machine; `FOREIGN`, `NEWER`, `SCHEMA`, `NOT_A_FILE` and
 * `SQLITE_OLD` refuse a database before it is changed; `MISUSE` is a bug in the calling program.
 */
export type StoreErrorCode = Extract<
  ErrorCode,
  | "DISK_FULL"
  | "BUSY"
  | "CORRUPT"
  | "READONLY"
  | "IO"
  | "FOREIGN"
  | "NEWER"
  | "SCHEMA"
  | "NOT_A_FILE"
  | "SQLITE_OLD"
  | "MISUSE"
>;

/** Why an operation of the store failed: what is wrong, in which file, and what to do. */
export class StoreError extends KnackError {
  override readonly name = "StoreError";
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}
