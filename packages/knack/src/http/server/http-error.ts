/** Why a request failed; `message` is for the client. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Paths of every skill that could have been meant. */
  readonly candidates: readonly string[] | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { headers?: Readonly<Record<string, string>>; candidates?: readonly string[] | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.candidates = more.candidates;
  }
}
