/** What a caller got wrong. Bad content is never one of these: it is a diagnostic. */
export type SkillErrorCode = "NOT_FOUND" | "AMBIGUOUS" | "INVALID_PARAM" | "CONFIG_INVALID" | "CONFLICT";

export class SkillError extends Error {
  override readonly name = "SkillError";
  readonly code: SkillErrorCode;
  /** Paths of every skill the request could have meant. */
  readonly candidates?: readonly string[];

  constructor(code: SkillErrorCode, message: string, candidates?: readonly string[]) {
    super(message);
    this.code = code;
    if (candidates) this.candidates = candidates;
  }
}

/** The operating system's word for a failed call (`ENOENT`), for messages and decisions. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
