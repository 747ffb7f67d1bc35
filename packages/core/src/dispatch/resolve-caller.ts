import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../access/envelope.ts";
import { findSkill, type SkillWanted } from "../access/find-skill.ts";
import type { Skills } from "../access/find-target.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Target } from "./guards.ts";

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
  if (!first) return { key: `word ${fold(word)}`, name: word, paths: [] };
  return { key: first.path, name: first.name, paths: meant.map(({ path }) => path) };
}

function skillsMeant({ catalog, typedSkills }: Skills, word: string): readonly Target[] {
  const words = wordsOf(catalog);
  const exact =
    (words.has(fold(word)) && exactly(catalog, { name: word })) ||
    (isPath(catalog, word) && exactly(catalog, { path: word }));
  if (exact) return [exact];
  // Another case or form of letters, an id, a command, a name with its plugin or its folders before it.
  const wanted = fold(word)
    .replace(/[/\\]+(?:skill\.md[/\\]*)?$/, "")
    .replace(/^[/$]/, "");
  const bare = wanted.slice(wanted.search(/[^:/\\]*$/));
  const named = new Set([wanted, bare].flatMap((one) => words.get(one) ?? []));
  if (named.size > 0) return [...named];
  return typedSkills.filter((name) => fold(name) === wanted || fold(name) === bare).map(typedTarget);
}

const known = new WeakMap<Catalog, ReadonlyMap<string, readonly SkillMetadata[]>>();

/** The skills of a catalog by the words that mean them: a caller may have many, and so may a catalog. */
function wordsOf(catalog: Catalog): ReadonlyMap<string, readonly SkillMetadata[]> {
  const before = known.get(catalog);
  if (before) return before;
  const words = new Map<string, SkillMetadata[]>();
  for (const { skill } of catalog.entries) {
    const { name, id, command } = skill;
    for (const word of new Set([fold(name), fold(id), ...(command === undefined ? [] : [fold(command)])])) {
      const same = words.get(word);
      if (same) same.push(skill);
      else words.set(word, [skill]);
    }
  }
  known.set(catalog, words);
  return words;
}

function isPath(catalog: Catalog, word: string): boolean {
  return /[/\\]/.test(word) || existsSync(resolve(catalog.cwd, word));
}

function exactly(catalog: Catalog, wanted: SkillWanted): Target | undefined {
  try {
    return findSkill(catalog, wanted).skill;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function fold(word: string): string {
  return word.normalize("NFKC").trim().toUpperCase().toLowerCase().normalize("NFC");
}
