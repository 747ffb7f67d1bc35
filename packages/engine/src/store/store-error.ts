import { type ErrorCode, KnackError } from "@knack/core/internal/engine";

/**
 * `DISK_FULL`, `BUSY`, `CORRUPT`, `READONLY` and `IO` are the machine's; `FOREIGN`, `NEWER`, `SCHEMA`, `NOT_A_FILE` and
 * `SQLITE_OLD` refuse a database before a byte of it is changed; `MISUSE` is a mistake in the program that calls.
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

/** Why the store did not do what it was asked for: what is wrong, in which file, and what to do. */
export class StoreError extends KnackError {
  override readonly name = "StoreError";
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}
