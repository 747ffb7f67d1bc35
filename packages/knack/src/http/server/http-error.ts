import { type ErrorCode, KnackError } from "@knack/core";

/** Why a request was not answered as it wished; `message` is for the client to read. The protocol has more statuses than codes. */
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
