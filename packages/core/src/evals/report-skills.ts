import { type Evaluation, scoreOutcomes, type TriggerOutcome, type TriggerScore } from "./evaluate.ts";

/** How one skill did, with what it took from others and what it lost. */
export interface SkillReport extends TriggerScore {
  readonly skill: string;
  readonly path: string;
  /** Prompts of others, and its own negative ones, for which it came first. */
  readonly took: readonly { readonly prompt: string; readonly skill: string; readonly path: string }[];
  /** Its own prompts for which it did not come first, and what did; `null` if nothing fits. */
  readonly lost: readonly {
    readonly prompt: string;
    readonly rank: number | null;
    readonly to: { readonly skill: string; readonly path: string } | null;
  }[];
}

/** A report on each skill that has trigger cases or took a prompt, worst first. */
export function reportSkills({ cases }: Evaluation): SkillReport[] {
  const own = Map.groupBy(cases, ({ path }) => path);
  const taken = Map.groupBy(
    cases.filter(({ taken_by }) => taken_by !== null),
    ({ taken_by }) => taken_by ?? "",
  );
  return [...new Set([...own.keys(), ...taken.keys()])]
    .map((path) => report(path, own.get(path) ?? [], taken.get(path) ?? []))
    .sort(worstFirst);
}

function report(
  path: string,
  own: readonly TriggerOutcome[],
  taken: readonly TriggerOutcome[],
): SkillReport {
  const stated = own.filter(({ should_trigger, ok }) => !should_trigger && !ok);
  const lost = own.filter(({ should_trigger, ok }) => should_trigger && !ok);
  return {
    skill: own[0]?.skill ?? taken[0]?.found[0]?.skill ?? "",
    path,
    ...scoreOutcomes(own),
    false_triggers: taken.length + stated.length,
    took: [...taken, ...stated].map((outcome) => ({
      prompt: outcome.prompt,
      skill: outcome.skill,
      path: outcome.path,
    })),
    lost: lost.map(({ prompt, rank, found: [first] }) => ({
      prompt,
      rank,
      to: first ? { skill: first.skill, path: first.path } : null,
    })),
  };
}

function worstFirst(one: SkillReport, other: SkillReport): number {
  const problems = ({ lost, false_triggers }: SkillReport): number => lost.length + false_triggers;
  return problems(other) - problems(one) || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0);
}
