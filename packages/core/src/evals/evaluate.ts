import type { TriggerCase } from "./trigger-cases.ts";

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
}

export interface TriggerScore {
  /** The share of positive cases, 0 to 1, in which the skill comes first; 1 if there are none. */
  readonly hit_at_1: number;
  /** The share of positive cases in which it is among the first k. */
  readonly recall_at_k: number;
  /** The number of negative cases in which it comes first. */
  readonly false_triggers: number;
  readonly positives: number;
  readonly negatives: number;
}

export interface Evaluation extends TriggerScore {
  readonly k: number;
  /** In the order in which they were given. */
  readonly cases: readonly TriggerOutcome[];
}

type Search = (prompt: string, limit: number) => readonly { readonly skill: { readonly path: string } }[];

/** Checks that a search finds each skill for its positive prompts, and does not put it first for the negative ones. */
export function evaluateTriggers(cases: readonly TriggerCase[], search: Search, k: number): Evaluation {
  const outcomes = cases.map(({ skill, prompt, shouldTrigger, source }): TriggerOutcome => {
    const place = search(prompt, k)
      .slice(0, k)
      .findIndex((result) => result.skill.path === skill.path);
    return {
      skill: skill.name,
      path: skill.path,
      prompt,
      should_trigger: shouldTrigger,
      rank: place === -1 ? null : place + 1,
      ok: (place === 0) === shouldTrigger,
      source,
    };
  });
  return { ...scoreOutcomes(outcomes), k, cases: outcomes };
}

/** The score of some outcomes of one evaluation, such as those of one skill. */
export function scoreOutcomes(outcomes: readonly TriggerOutcome[]): TriggerScore {
  const positive = outcomes.filter((outcome) => outcome.should_trigger);
  const negative = outcomes.filter((outcome) => !outcome.should_trigger);
  const hits = positive.filter(({ rank }) => rank === 1).length;
  const recalled = positive.filter(({ rank }) => rank !== null).length;
  return {
    hit_at_1: fraction(hits, positive.length),
    recall_at_k: fraction(recalled, positive.length),
    false_triggers: negative.filter(({ rank }) => rank === 1).length,
    positives: positive.length,
    negatives: negative.length,
  };
}

function fraction(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000;
}
