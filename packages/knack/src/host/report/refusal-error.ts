import { type Envelope, SkillError } from "@knack/core";

/** A refusal whose code is not one of the catalog's. */
export class RefusalError extends SkillError {
  constructor(code: string, message: string, candidates?: readonly string[]) {
    super(code as never, message, candidates);
  }
}

/** What a tool refused; undefined where it did its work. */
export function refusalOf({ error, data }: Pick<Envelope, "error" | "data">): RefusalError | undefined {
  if (!error) return undefined;
  const candidates = Array.isArray(data.candidates) ? data.candidates.map(String) : undefined;
  return new RefusalError(error.code, error.message, candidates);
}
