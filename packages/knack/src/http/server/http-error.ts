import { type ErrorCode, KnackError } from "@knack/core";

/** An HTTP status with a message for the client. HTTP has more statuses than Knack has codes. */
export class HttpError extends KnackError {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code, message);
    this.status = status;
    this.headers = more.headers ?? {};
  }
}
