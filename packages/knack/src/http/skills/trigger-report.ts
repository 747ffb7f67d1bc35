import type { Catalog, SkillMetadata } from "@knack/core";
import { evaluateTriggers, readTriggerCases } from "@knack/core/internal";

/** Each case is a search, and the files are a stranger's. */
const MAX_CASES = 100;
const MAX_PROMPT = 1_000;

/** The trigger tests beside a skill, and whether they hold: what `knack eval` says of it. */
export async function triggerReport(catalog: Catalog, skill: SkillMetadata) {
  const { cases, faults } = await readTriggerCases(skill);
  const { search: limits } = catalog.config.skills;
  const search = (prompt: string, limit: number) =>
    catalog.search(prompt, { limit }).results.filter(({ fits }) => fits);
  const k = Math.min(limits.defaultLimit, limits.maxLimit);
  const { cases: outcomes, ...score } = evaluateTriggers(
    cases.slice(0, MAX_CASES).map((one) => ({ ...one, prompt: one.prompt.slice(0, MAX_PROMPT) })),
    search,
    k,
  );
  return {
    ...score,
    total: cases.length,
    cases: outcomes.map(({ prompt, should_trigger, rank, ok, source, found }) => ({
      prompt,
      should_trigger,
      rank,
      ok,
      source,
      first: found[0]?.skill ?? null,
    })),
    faults,
  };
}
