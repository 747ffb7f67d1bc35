export const TOOL_ERROR_CODES = [
  "NOT_FOUND",
  "ACCESS_DENIED",
  "PERMISSION_DENIED",
  "INVALID_PARAM",
  "TIMEOUT",
  "INTERNAL_ERROR",
  "EXECUTION_ERROR",
  "CONFLICT",
  "IS_DIRECTORY",
  "BINARY_FILE",
] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** JSON-RPC's own codes, which MCP has too. */
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

interface ErrorAnswer {
  /** Exit code of a command. */
  readonly exit: 1 | 2;
  /** Status of an HTTP response. */
  readonly http: number;
  /** Code of a JSON-RPC or MCP error, where the protocol has no envelope. */
  readonly rpc: number;
  /** Code in a tool's envelope. */
  readonly tool: ToolErrorCode;
  /** For clients of the server, instead of a message that may name paths of this machine. */
  readonly told?: string;
}

/** The machine's faults, then refusals before a byte is changed. */
const STORE_CODES = [
  ...(["DISK_FULL", "BUSY", "CORRUPT", "READONLY", "IO"] as const),
  ...(["FOREIGN", "NEWER", "SCHEMA", "NOT_A_FILE", "SQLITE_OLD", "MISUSE"] as const),
] as const;
export type StoreErrorCode = (typeof STORE_CODES)[number];

const DATABASE: ErrorAnswer = {
  exit: 1,
  http: 500,
  rpc: INTERNAL_ERROR,
  tool: "INTERNAL_ERROR",
  told: 'The database cannot be used; "knack doctor" shows why.',
};

/** Every code that an error of Knack has: the one place that says how it is answered. */
export const ERROR_CODES = {
  NOT_FOUND: { exit: 1, http: 404, rpc: INVALID_PARAMS, tool: "NOT_FOUND" },
  AMBIGUOUS: { exit: 1, http: 409, rpc: INVALID_PARAMS, tool: "INVALID_PARAM" },
  INVALID_PARAM: { exit: 2, http: 400, rpc: INVALID_PARAMS, tool: "INVALID_PARAM" },
  CONFIG_INVALID: {
    exit: 1,
    http: 500,
    rpc: INVALID_PARAMS,
    tool: "ACCESS_DENIED",
    told: 'The configuration has an error; "knack doctor" shows where.',
  },
  CONFLICT: { exit: 1, http: 409, rpc: INVALID_PARAMS, tool: "CONFLICT" },
  ACCESS_DENIED: { exit: 1, http: 403, rpc: INVALID_PARAMS, tool: "ACCESS_DENIED" },
  PERMISSION_DENIED: { exit: 1, http: 403, rpc: INVALID_PARAMS, tool: "PERMISSION_DENIED" },
  IS_DIRECTORY: { exit: 1, http: 400, rpc: INVALID_PARAMS, tool: "IS_DIRECTORY" },
  BINARY_FILE: { exit: 1, http: 422, rpc: INVALID_PARAMS, tool: "BINARY_FILE" },
  TIMEOUT: { exit: 1, http: 504, rpc: INTERNAL_ERROR, tool: "TIMEOUT" },
  EXECUTION_ERROR: { exit: 1, http: 500, rpc: INTERNAL_ERROR, tool: "EXECUTION_ERROR" },
  INTERNAL_ERROR: {
    exit: 1,
    http: 500,
    rpc: INTERNAL_ERROR,
    tool: "INTERNAL_ERROR",
    told: "Internal error; see the standard error of the server.",
  },
  /** `knack serve` was to listen where others could reach it, without access tokens or without encryption. */
  E_BIND_INSECURE: { exit: 2, http: 500, rpc: INTERNAL_ERROR, tool: "ACCESS_DENIED" },
  ...(Object.fromEntries(STORE_CODES.map((code) => [code, DATABASE])) as Record<StoreErrorCode, ErrorAnswer>),
} as const satisfies Readonly<Record<string, ErrorAnswer>>;

export type ErrorCode = keyof typeof ERROR_CODES;

interface ErrorDetails extends ErrorOptions {
  readonly candidates?: readonly string[] | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly http?: KnackError["http"];
  readonly isOfHost?: boolean;
}

/** Every error of Knack: what is wrong and what to do, for a person or a model to read, and a code for programs. */
export class KnackError extends Error {
  override readonly name = "KnackError";
  readonly code: ErrorCode;
  /** Paths of every skill the request could have meant. */
  readonly candidates?: readonly string[];
  /** What a tool's envelope has besides the error. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** A status that the code does not imply. */
  readonly http?: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
  /** @internal Its cause was thrown by a host's own function: it goes back to the host, and never into a model's text. */
  readonly isOfHost?: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { candidates, data, http, isOfHost, ...options } = details;
    super(message, options);
    this.code = code;
    const named = candidates ?? data?.candidates;
    if (Array.isArray(named)) this.candidates = named;
    if (data) this.data = data;
    if (http) this.http = http;
    if (isOfHost) this.isOfHost = true;
  }
}

export function isStoreError(error: unknown): error is KnackError & { readonly code: StoreErrorCode } {
  return error instanceof KnackError && STORE_CODES.some((code) => code === error.code);
}

/** What no part of Knack threw is an internal error. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof KnackError && Object.hasOwn(ERROR_CODES, error.code)
    ? error.code
    : "INTERNAL_ERROR";
}

export function answerTo(error: unknown): ErrorAnswer {
  return ERROR_CODES[codeOf(error)];
}

/** The system's word (`ENOENT`); anything else is thrown on. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

/** What `work` gives; `otherwise` where the system refuses. Any other error is thrown on. */
export function tryOr<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    systemCode(error);
    return otherwise;
  }
}
