import { tokenize } from "../search/text/tokenize.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { type Evaluation, evaluateTriggers, type Search, type TriggerOutcome } from "./evaluate.ts";
import { missingWords } from "./missing-words.ts";
import { reportSkills } from "./report-skills.ts";
import type { TriggerCase } from "./trigger-cases.ts";

/** A word that a description lacks, tried out: what the ranking would be with it. */
interface ProposedWord {
  readonly word: string;
  /** How many of the lost prompts it moves to the first place. */
  readonly gains: number;
}

export interface Proposal {
  readonly skill: string;
  readonly path: string;
  /** How many of the skill's prompts did not find it first. */
  readonly lost: number;
  /** The most useful first; none makes a prompt of any skill worse. Empty if no word helps. */
  readonly words: readonly ProposedWord[];
}

export interface Proposals {
  readonly proposals: readonly Proposal[];
  /** Skills with lost prompts that were not looked at, because each trial takes time. */
  readonly skipped: number;
}

/** Makes the search that there would be if the skill had this description. */
export type Trial = (skill: SkillMetadata, description: string) => Search;

/** Words tried for each skill. */
const MAX_TRIED = 4;
/**
 * The bound on the time: each trial makes an index of all skills, so this many skills are indexed at most, together. That is
 * 30 trials in a home of 200 skills.
 */
const MAX_INDEXED = 6_000;

/** Which words the descriptions lack, worst skills first. Each word is tried alone, at the end of the description. */
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
  const proposals: Proposal[] = [];
  let tried = 0;
  for (const { skill: name, path, lost } of wanting) {
    const skill = byPath.get(path);
    if (left < MAX_TRIED || !skill) break;
    const own = evaluation.cases.filter((outcome) => outcome.path === path);
    const words: ProposedWord[] = [];
    for (const word of missingWords(skill, own, skills).slice(0, MAX_TRIED)) {
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

/** Asks again what the word can change: the skill's own prompts, those that found it, and those that have the word. */
function compare(
  { cases: outcomes, k }: Evaluation,
  cases: readonly TriggerCase[],
  search: Search,
  { path }: SkillMetadata,
  word: string,
): { gains: number; harms: number } {
  const stems = new Set(tokenize(word));
  const again = cases.flatMap((one, at): { one: TriggerCase; before: TriggerOutcome }[] => {
    const before = outcomes[at];
    const isConcerned =
      before !== undefined &&
      (before.path === path ||
        before.found.some((found) => found.path === path) ||
        tokenize(before.prompt).some((stem) => stems.has(stem)));
    return isConcerned ? [{ one, before }] : [];
  });
  const after = evaluateTriggers(
    again.map(({ one }) => one),
    search,
    k,
  ).cases;
  let gains = 0;
  let harms = 0;
  for (const [at, { before }] of again.entries()) {
    const now = after[at];
    if (!now) continue;
    if (before.ok && !now.ok) harms++;
    // A prompt that had lost its skill from the results altogether is worse off too.
    else if (!before.ok && before.rank !== null && now.rank === null && before.should_trigger) harms++;
    else if (!before.ok && now.ok && before.path === path) gains++;
  }
  return { gains, harms };
}
