import type { SkillContext, SkillInput } from "../../shared/skill-function.ts";
import type { TextArtifact } from "../text-artifact.ts";

/** Puts the text of one kind of file into an artifact, and may stop when that is full. */
export type Extract = (
  input: SkillInput,
  out: TextArtifact,
  context: Pick<SkillContext, "signal" | "log">,
) => Promise<void>;
