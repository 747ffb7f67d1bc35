import type { Skills } from "../access/find-target.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import { bareWords } from "../resolve/could-mean.ts";
import { typedNameOf } from "../resolve/typed-name.ts";
import { SkillError } from "../shared/errors.ts";
import type { DispatchTarget } from "./guards.ts";

export interface Known {
  readonly key: string;
  readonly name: string;
  /** Every skill that the word could mean: what may have been visited counts as visited. */
  readonly paths: readonly string[];
}

/** Which skill a word means, however it is written; where it could mean several, all of them. */
export function recognise(skills: Skills, word: string): Known {
  const meant = skillsMeant(skills, word);
  const [first] = meant;
  if (!first) return { key: `word ${bareWords(word).whole}`, name: word, paths: [] };
  return { key: first.path, name: first.name, paths: meant.map(({ path }) => path) };
}

function skillsMeant({ catalog, typedSkills }: Skills, word: string): readonly DispatchTarget[] {
  if (word.trim() === "") return [];
  try {
    return [catalog.resolveEntry(word, { includeInactive: true }).skill];
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
  }
  const named = catalog.couldMean(word);
  if (named.length > 0) return named.map(({ skill }) => skill);
  const { whole, last } = bareWords(word);
  const typed = typedNameOf(typedSkills, whole) ?? typedNameOf(typedSkills, last);
  return typed === undefined ? [] : [typedTarget(typed)];
}
