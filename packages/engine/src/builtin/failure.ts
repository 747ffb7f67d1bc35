import type { SkillContext, SkillFunction, SkillOutput } from "../shared/skill-function.ts";

/** Something about the input that keeps a skill from its work, carried out of the recursion to `answering`. */
export class Failure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type Produced = Partial<Pick<SkillOutput, "artifacts" | "evidences">>;

/**
 * The shape of document 003 §3.3 around a skill: a `Failure` is a FAILED answer. Everything else that is thrown (an abort,
 * a full disk, a mistake of ours) passes through, because only the caller knows what it means for the run.
 */
export function answering(work: (context: SkillContext) => Promise<Produced>): SkillFunction {
  return async (context): Promise<SkillOutput> => {
    try {
      context.signal.throwIfAborted();
      const { artifacts = [], evidences = [] } = await work(context);
      context.signal.throwIfAborted();
      return { status: "SUCCEEDED", artifacts, evidences, error: null };
    } catch (error) {
      if (!(error instanceof Failure) || context.signal.aborted) throw error;
      const { code, message } = error;
      return { status: "FAILED", artifacts: [], evidences: [], error: { code, message } };
    }
  };
}
