import type { TriggerCase } from "./trigger-cases.ts";

/** A skill that a prompt found, and why. */
export interface FoundSkill {
  readonly skill: string;
  readonly path: string;
  readonly score: number;
  readonly reason: string;
  /** The words of the prompt that the skill has. */
  readonly matched: readonly string[];
}

/** The result of one trigger case. */
export interface TriggerOutcome {
  readonly skill: string;
  readonly path: string;
  readonly prompt: string;
  readonly should_trigger: boolean;
  /** The place of the skill among the first k results, from 1; `null` if it is not among them. */
  readonly rank: number | null;
  readonly ok: boolean;
  readonly source: string;
  /** The first results, and the skill itself if it comes later. */
  readonly found: readonly FoundSkill[];
  /** The path of another skill that came first although the prompt is not one of its own; `null` if there is none. */
  readonly taken_by: string | null;
}

export interface TriggerScore {
  /** The share of positive cases, 0 to 1, in which the skill comes first; 1 if there are none. */
  readonly hit_at_1: number;
  /** The share of positive cases in which it is among the first k. */
  readonly recall_at_k: number;
  /**
   * How often a skill came first for a prompt that is not its own: negative cases in which their skill comes first, and
   * positive cases that another skill took.
   */
  readonly false_triggers: number;
  /** The positive cases that another skill took. */
  readonly taken: number;
  readonly positives: number;
  readonly negatives: number;
}

export interface Evaluation extends TriggerScore {
  readonly k: number;
  /** In the order in which they were given. */
  readonly cases: readonly TriggerOutcome[];
}

/** The skills that fit a prompt, best first. */
export type Search = (prompt: string, limit: number) => readonly Result[];

interface Result extends Omit<FoundSkill, "skill" | "path"> {
  readonly skill: { readonly name: string; readonly path: string };
}

/** More results of one prompt tell a reader nothing. */
const SHOWN = 3;

/**
 * Checks that a search finds each skill for its positive prompts, does not put it first for the negative ones, and puts no other
 * skill first: the prompts of a skill are negative ones for all others.
 */
export function evaluateTriggers(cases: readonly TriggerCase[], search: Search, k: number): Evaluation {
  const isOwn = ownPrompts(cases);
  const outcomes = cases.map(({ skill, prompt, shouldTrigger, source }): TriggerOutcome => {
    const results = search(prompt, k).slice(0, k);
    const place = results.findIndex((result) => result.skill.path === skill.path);
    const first = results[0]?.skill.path;
    const isTaken = shouldTrigger && first !== undefined && place !== 0 && !isOwn(first, prompt);
    return {
      skill: skill.name,
      path: skill.path,
      prompt,
      should_trigger: shouldTrigger,
      rank: place === -1 ? null : place + 1,
      ok: (place === 0) === shouldTrigger,
      source,
      found: results.filter((_, at) => at < SHOWN || at === place).map(foundSkill),
      taken_by: isTaken ? first : null,
    };
  });
  return { ...scoreOutcomes(outcomes), k, cases: outcomes };
}

function foundSkill({ skill, score, reason, matched }: Result): FoundSkill {
  return { skill: skill.name, path: skill.path, score, reason, matched };
}

/** Two skills may list the same prompt; then neither takes it from the other. */
function ownPrompts(cases: readonly TriggerCase[]): (path: string, prompt: string) => boolean {
  const own = new Set(
    cases.filter(({ shouldTrigger }) => shouldTrigger).map(({ skill, prompt }) => key(skill.path, prompt)),
  );
  return (path, prompt) => own.has(key(path, prompt));
}

function key(path: string, prompt: string): string {
  return `${path}\n${prompt.trim().toLowerCase()}`;
}

/** The score of some outcomes of one evaluation, such as those of one skill. */
export function scoreOutcomes(outcomes: readonly TriggerOutcome[]): TriggerScore {
  const positive = outcomes.filter((outcome) => outcome.should_trigger);
  const negative = outcomes.filter((outcome) => !outcome.should_trigger);
  const hits = positive.filter(({ rank }) => rank === 1).length;
  const recalled = positive.filter(({ rank }) => rank !== null).length;
  const taken = positive.filter(({ taken_by }) => taken_by !== null).length;
  return {
    hit_at_1: fraction(hits, positive.length),
    recall_at_k: fraction(recalled, positive.length),
    false_triggers: taken + negative.filter(({ rank }) => rank === 1).length,
    taken,
    positives: positive.length,
    negatives: negative.length,
  };
}

function fraction(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000;
}
