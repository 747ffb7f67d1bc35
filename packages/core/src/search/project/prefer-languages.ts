import type { SkillMetadata } from "../../skill/schema.ts";
import { LANGUAGES } from "./languages.ts";

/** How much a skill for the project's languages gains, and one for other languages loses, in the sum of the ranking. */
const STEP = 2;

/**
 * Decides between skills that differ in the language of their name, such as `rust-testing` and `python-testing`. Descriptions do
 * not count: many only mention a language. `undefined` if it decides nothing: the project's languages are not known, or the query
 * names one itself.
 */
export function languagePreference(
  query: string,
  project: ReadonlySet<string>,
): ((skill: SkillMetadata) => number) | undefined {
  if (project.size === 0 || LANGUAGES.some(({ written }) => written.test(query))) return;
  return ({ name }) => {
    const words = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
    const bound = LANGUAGES.filter((language) => language.words.some((word) => words.has(word)));
    if (bound.length === 0) return 0;
    return bound.some(({ id }) => project.has(id)) ? STEP : -STEP;
  };
}
