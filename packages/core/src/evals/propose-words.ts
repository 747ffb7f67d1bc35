import { isFunctionWord } from "../search/text/function-words.ts";
import { tokenize } from "../search/text/tokenize.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import {
  type Evaluation,
  evaluateTriggers,
  reportSkills,
  type Search,
  type TriggerOutcome,
} from "./evaluate.ts";
import type { TriggerCase } from "./trigger-cases.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** A longer word is a path or a code. */
const MAX_LENGTH = 24;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Japanese particles and endings. */
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;

export function contentWords(prompt: string): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(prompt.toWellFormed().slice(0, MAX_PROMPT))) {
    const word = segment.toLowerCase();
    if (isWordLike && isContent(word)) words.add(word);
  }
  return [...words];
}

const MAX_PROMPT = 8_000;

function isContent(word: string): boolean {
  if (word.length > MAX_LENGTH || !/\p{L}/u.test(word)) return false;
  if (CJK.test(word)) return word.length >= 2 && !HIRAGANA.test(word);
  return word.length >= 3 && /^[\p{L}\p{N}\p{M}]+$/u.test(word) && !tokenize(word).every(isFunctionWord);
}

/** A word of the other prompts of a skill counts less than one of a lost prompt. */
const OF_OTHER_PROMPTS = 0.25;

/** Words that only the skill's prompts have: most promising are those in many lost prompts and few other descriptions. */
export function missingWords(
  skill: SkillMetadata,
  own: readonly TriggerOutcome[],
  having: ReturnType<typeof countStems>,
): string[] {
  const has = stemsOf(skill);
  // Not what must not trigger it, nor the names of the skills that took its prompts.
  const unwanted = new Set([
    ...own.filter(({ should_trigger }) => !should_trigger).flatMap(({ prompt }) => tokenize(prompt)),
    ...own.flatMap(({ taken_by, found: [first] }) => (taken_by && first ? tokenize(first.skill) : [])),
  ]);
  /** By stem: "invoices" and "invoice" are one word. */
  const missing = new Map<string, { readonly word: string; count: number; readonly rarity: number }>();
  for (const { prompt, should_trigger, ok } of own) {
    if (!should_trigger) continue;
    for (const word of contentWords(prompt)) {
      const stems = tokenize(word);
      if ([has, unwanted].some((known) => stems.every((stem) => known.has(stem)))) continue;
      const most = Math.max(0, ...stems.map((stem) => having.counts.get(stem) ?? 0));
      const rarity = Math.log((having.skills + 2) / (most + 1));
      const found = missing.get(stems.join(" ")) ?? { word, count: 0, rarity };
      found.count += ok ? OF_OTHER_PROMPTS : 1;
      missing.set(stems.join(" "), found);
    }
  }
  return [...missing.values()]
    .map(({ word, count, rarity }) => ({ word, worth: count * rarity }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);
}

export function countStems(skills: readonly SkillMetadata[]) {
  const counts = new Map<string, number>();
  for (const skill of skills)
    for (const stem of stemsOf(skill)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return { counts, skills: skills.length };
}

function stemsOf({ name, description }: SkillMetadata): Set<string> {
  return new Set(tokenize(`${name} ${description}`));
}

interface Proposal {
  readonly skill: string;
  readonly path: string;
  readonly lost: number;
  /**
   * The most useful first, with how many of the lost prompts each moves to the first place; none makes a prompt of any skill
   * worse. Empty if no word helps.
   */
  readonly words: readonly { readonly word: string; readonly gains: number }[];
}

export interface Proposals {
  readonly proposals: readonly Proposal[];
  /** Skills with lost prompts that were not looked at, because each trial takes time. */
  readonly skipped: number;
}

/** Searches with another description of a skill. */
type Trial = (skill: SkillMetadata, description: string) => Search;

const MAX_TRIED = 4;
/** Bounds the time: each trial indexes all skills, so a home of 200 skills gets 30 trials. */
const MAX_INDEXED = 6_000;

/** Worst skills first; each word is tried alone, at the end of the description. */
export function proposeWords(
  evaluation: Evaluation,
  cases: readonly TriggerCase[],
  skills: readonly SkillMetadata[],
  trial: Trial,
  tell: (tried: number) => void = () => undefined,
): Proposals {
  const byPath = new Map(skills.map((skill) => [skill.path, skill]));
  const wanting = reportSkills(evaluation).filter(({ lost }) => lost.length > 0);
  let left = Math.floor(MAX_INDEXED / Math.max(1, skills.length));
  const having = countStems(skills);
  const proposals: Proposal[] = [];
  let tried = 0;
  for (const { skill: name, path, lost } of wanting) {
    const skill = byPath.get(path);
    if (left < MAX_TRIED || !skill) break;
    const own = evaluation.cases.filter((outcome) => outcome.path === path);
    const words: Proposal["words"][number][] = [];
    for (const word of missingWords(skill, own, having).slice(0, MAX_TRIED)) {
      left--;
      tell(++tried);
      const search = trial(skill, `${skill.description} ${word}`);
      const { gains, harms } = compare(evaluation, cases, search, skill, word);
      if (gains > 0 && harms === 0) words.push({ word, gains });
      // More words make a description longer, not better.
      if (gains === lost.length && harms === 0) break;
    }
    words.sort((a, b) => b.gains - a.gains);
    proposals.push({ skill: name, path, lost: lost.length, words });
  }
  return { proposals, skipped: wanting.length - proposals.length };
}

/** Repeats the prompts that the word can change. */
function compare(
  { cases: outcomes, k }: Evaluation,
  cases: readonly TriggerCase[],
  search: Search,
  { path }: SkillMetadata,
  word: string,
): { gains: number; harms: number } {
  const stems = new Set(tokenize(word));
  const isConcerned = ({ path: own, found, prompt }: TriggerOutcome): boolean =>
    own === path ||
    found.some((one) => one.path === path) ||
    tokenize(prompt).some((stem) => stems.has(stem));
  const before = outcomes.filter(isConcerned);
  const again = cases.filter((_, at) => outcomes[at] && isConcerned(outcomes[at]));
  let gains = 0;
  let harms = 0;
  for (const [at, now] of evaluateTriggers(again, search, k).cases.entries()) {
    const { ok, rank, should_trigger } = before[at] ?? now;
    // A prompt that had lost its skill from the results altogether is worse off too.
    if (ok ? !now.ok : rank !== null && now.rank === null && should_trigger) harms++;
    else if (!ok && now.ok && now.path === path) gains++;
  }
  return { gains, harms };
}
