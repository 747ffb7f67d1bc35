import type { ToolErrorCode } from "../shared/errors.ts";

export type Data = Readonly<Record<string, unknown>>;

export interface Envelope {
  readonly status: "success" | "partial" | "error";
  readonly data: Data;
  /** For the model to read: what happened, then, unless all is well, what to do next. */
  readonly text: string;
  /** Present exactly when the status is `error`. */
  readonly error?: { readonly code: ToolErrorCode; readonly message: string };
  readonly stats: { readonly time_ms: number; readonly [name: string]: number | string };
  readonly context: {
    /** Relative to the project root. */
    readonly cwd: string;
    /** As they were given. */
    readonly params_input: unknown;
    readonly path_resolved?: string;
  };
}

/** What a tool has to say when it did its work; the rest of the envelope is the same for all of them. */
export interface ToolResult {
  /** `data.truncated: true` and `data.applied: false` make the answer `partial`; `partial` here says so for other reasons. */
  readonly partial?: boolean;
  readonly data: Data;
  readonly text: string;
  readonly stats?: Readonly<Record<string, number | string>>;
  readonly pathResolved?: string;
}
