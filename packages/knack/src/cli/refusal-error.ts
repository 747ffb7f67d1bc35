import { SkillError } from "@knack/core";

/** A refusal whose code is not one of the catalog's. */
export class RefusalError extends SkillError {
  constructor(code: string, message: string, candidates?: readonly string[]) {
    super(code as never, message, candidates);
  }
}
