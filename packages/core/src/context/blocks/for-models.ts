import type { SkillMetadata } from "../../skill/schema.ts";

/** The skills that a model may see; `disable-model-invocation` reserves the others for people. */
export function forModels(skills: readonly SkillMetadata[]): SkillMetadata[] {
  return skills.filter((skill) => skill.disableModelInvocation !== true);
}
