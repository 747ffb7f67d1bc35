import { type EntryWords, entryWords, type TypedSkill } from "@knack/engine";

/** A typed skill as programs see it: its contract in the words of the registry, and not where it is declared. */
export function typedSkillReport(skill: TypedSkill): EntryWords {
  return entryWords(skill);
}
