import { compareText } from "../shared/fold.ts";
import type { TriggerCase } from "./trigger-cases.ts";

export interface FoundSkill {
  readonly skill: string;
  readonly path: string;
  readonly score: number;
  readonly reason: string;
  /** The words of the prompt that the skill has. */
  readonly matched: readonly string[];
}

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

export type Evaluation = ReturnType<typeof evaluateTriggers>;

export type Search = (prompt: string, limit: number) => readonly Result[];

interface Result extends Omit<FoundSkill, "skill" | "path"> {
  readonly skill: { readonly name: string; readonly path: string };
}

/** More results of one prompt tell a reader nothing. */
const SHOWN = 3;

/** The prompts of a skill are negative cases for all others. */
export function evaluateTriggers(cases: readonly TriggerCase[], search: Search, k: number) {
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

export function scoreOutcomes(outcomes: readonly TriggerOutcome[]) {
  const positive = outcomes.filter((outcome) => outcome.should_trigger);
  const negative = outcomes.filter((outcome) => !outcome.should_trigger);
  const hits = positive.filter(({ rank }) => rank === 1).length;
  const recalled = positive.filter(({ rank }) => rank !== null).length;
  const taken = positive.filter(({ taken_by }) => taken_by !== null).length;
  return {
    /** The share of positive cases, 0 to 1, in which the skill comes first; 1 if there are none. */
    hit_at_1: fraction(hits, positive.length),
    /** The share of positive cases in which it is among the first k. */
    recall_at_k: fraction(recalled, positive.length),
    /** Negative cases in which the skill comes first, and positive cases that another skill took. */
    false_triggers: taken + negative.filter(({ rank }) => rank === 1).length,
    taken,
    positives: positive.length,
    negatives: negative.length,
  };
}

function fraction(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000;
}

export type SkillReport = ReturnType<typeof report>;

/** A report on each skill that has trigger cases or took a prompt, worst first. */
export function reportSkills({ cases }: Evaluation): SkillReport[] {
  const own = Map.groupBy(cases, ({ path }) => path);
  const taken = Map.groupBy(
    cases.filter(({ taken_by }) => taken_by !== null),
    ({ taken_by }) => taken_by ?? "",
  );
  return [...new Set([...own.keys(), ...taken.keys()])]
    .map((path) => report(path, own.get(path) ?? [], taken.get(path) ?? []))
    .sort((a, b) => problemsOf(b) - problemsOf(a) || compareText(a.path, b.path));
}

function report(path: string, own: readonly TriggerOutcome[], taken: readonly TriggerOutcome[]) {
  const stated = own.filter(({ should_trigger, ok }) => !should_trigger && !ok);
  const lost = own.filter(({ should_trigger, ok }) => should_trigger && !ok);
  return {
    skill: own[0]?.skill ?? taken[0]?.found[0]?.skill ?? "",
    path,
    ...scoreOutcomes(own),
    false_triggers: taken.length + stated.length,
    /** Prompts of others, and its own negative ones, for which it came first. */
    took: [...taken, ...stated].map(({ prompt, skill, path }) => ({ prompt, skill, path })),
    /** Its own prompts for which it did not come first, and what did; `null` if nothing fits. */
    lost: lost.map(({ prompt, rank, found: [first] }) => ({
      prompt,
      rank,
      to: first ? { skill: first.skill, path: first.path } : null,
    })),
  };
}

function problemsOf({ lost, false_triggers }: SkillReport): number {
  return lost.length + false_triggers;
}
