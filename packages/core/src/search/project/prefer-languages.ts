import type { SkillMetadata } from "../../skill/schema.ts";
import { LANGUAGES } from "./languages.ts";

/** How much a skill for the project's languages gains, and one for other languages loses: as odds, a factor of about three. */
const STEP = 1;

/**
 * Decides between skills that differ in the language they are for. `undefined` if it decides nothing: the project's languages
 * are not known, or the query names one itself.
 */
export function languagePreference(
  query: string,
  project: ReadonlySet<string>,
): ((skill: SkillMetadata) => number) | undefined {
  if (project.size === 0 || LANGUAGES.some(({ written }) => written.test(query))) return;
  return (skill) => {
    const bound = languagesOf(skill);
    if (bound.length === 0) return 0;
    return bound.some((id) => project.has(id)) ? STEP : -STEP;
  };
}

/** The languages that a skill is for: those of its name, otherwise those that its description names. */
export function languagesOf({ name, description }: SkillMetadata): string[] {
  const words = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
  const named = LANGUAGES.filter((language) => language.words.some((word) => words.has(word)));
  const bound = named.length > 0 ? named : LANGUAGES.filter(({ written }) => written.test(description));
  return bound.map(({ id }) => id);
}
