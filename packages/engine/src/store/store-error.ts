/**
 * `DISK_FULL`, `BUSY`, `CORRUPT`, `READONLY` and `IO` are the machine's; `FOREIGN`, `NEWER`, `SCHEMA`, `NOT_A_FILE` and
 * `SQLITE_OLD` refuse a database before a byte of it is changed; `MISUSE` is a mistake in the program that calls.
 */
export type StoreErrorCode =
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
  | "MISUSE";

/** Why the store did not do what it was asked for: what is wrong, in which file, and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
