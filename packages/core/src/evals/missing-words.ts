import { tokenize } from "../search/text/tokenize.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { contentWords } from "./content-words.ts";
import type { TriggerOutcome } from "./evaluate.ts";

/** A word of the other prompts of a skill counts less than one of a lost prompt. */
const OF_OTHER_PROMPTS = 0.25;

/**
 * Words of a skill's prompts that neither its name nor its description has, the most promising first: those that many lost
 * prompts have and few other skills' descriptions.
 */
export function missingWords(
  skill: SkillMetadata,
  own: readonly TriggerOutcome[],
  others: readonly SkillMetadata[],
): string[] {
  const has = new Set(tokenize(`${skill.name} ${skill.description}`));
  const value = new Map<string, number>();
  for (const { prompt, should_trigger, ok } of own) {
    if (!should_trigger) continue;
    for (const word of contentWords(prompt))
      value.set(word, (value.get(word) ?? 0) + (ok ? OF_OTHER_PROMPTS : 1));
  }
  // Not what must not trigger it, nor the names of the skills that took its prompts.
  const unwanted = new Set([
    ...own.filter(({ should_trigger }) => !should_trigger).flatMap(({ prompt }) => tokenize(prompt)),
    ...own.flatMap(({ taken_by, found: [first] }) => (taken_by && first ? tokenize(first.skill) : [])),
  ]);
  const having = countStems(others);
  const rarity = (word: string): number => {
    const most = Math.max(0, ...tokenize(word).map((stem) => having.get(stem) ?? 0));
    return Math.log((others.length + 2) / (most + 1));
  };
  return oncePerStem([...value].filter(([word]) => !isIn(has, word) && !isIn(unwanted, word)))
    .map(([word, count]) => ({ word, worth: count * rarity(word) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);
}

/** Whether all stems of a word are among these. */
function isIn(stems: ReadonlySet<string>, word: string): boolean {
  return tokenize(word).every((stem) => stems.has(stem));
}

/** "invoices" and "invoice" are one word; the first that a prompt has stands for both. */
function oncePerStem(words: readonly (readonly [string, number])[]): [string, number][] {
  const byStem = new Map<string, [string, number]>();
  for (const [word, count] of words) {
    const stem = tokenize(word).join(" ");
    const known = byStem.get(stem);
    byStem.set(stem, [known?.[0] ?? word, (known?.[1] ?? 0) + count]);
  }
  return [...byStem.values()];
}

const counted = new WeakMap<readonly SkillMetadata[], ReadonlyMap<string, number>>();

/** How many of the skills have a stem in their name or description. */
function countStems(skills: readonly SkillMetadata[]): ReadonlyMap<string, number> {
  const before = counted.get(skills);
  if (before) return before;
  const having = new Map<string, number>();
  for (const { name, description } of skills)
    for (const stem of new Set(tokenize(`${name} ${description}`)))
      having.set(stem, (having.get(stem) ?? 0) + 1);
  counted.set(skills, having);
  return having;
}
