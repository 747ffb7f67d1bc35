import type { SkillMetadata } from "../../skill/schema.ts";

/** The skills that a model may be told of: `disable-model-invocation` leaves the others to people. */
export function forModels(skills: readonly SkillMetadata[]): SkillMetadata[] {
  return skills.filter((skill) => skill.disableModelInvocation !== true);
}
