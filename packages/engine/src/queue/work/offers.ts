import type { Registered } from "../../registry/registered.ts";
import type { TypedSkills } from "../../registry/typed-skills.ts";
import { digestCode } from "../../run/prepare/digest-code.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import { EngineError } from "../../shared/engine-error.ts";
import { laneOf, versionOf } from "../lane.ts";
import type { Offer } from "../read-columns.ts";

export interface Offered {
  readonly offers: readonly Offer[];
  /** The lanes to take runs from, with the skill of each. */
  readonly lanes: ReadonlyMap<string, string>;
}

export interface OfferOptions {
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  /** Only these; all without it. */
  readonly only: readonly string[] | undefined;
  readonly tags: readonly string[];
}

/** What this machine would run now: its own typed skills whose code its user approved, as policy and options allow. */
export async function offersNow({ skills, runs, only, tags }: OfferOptions): Promise<Offered> {
  await skills.reload();
  const { registered } = await skills.current();
  const offers: Offer[] = [];
  const lanes = new Map<string, string>();
  for (const one of registered.values()) {
    const offer = await offerOf(one, runs, only);
    if (!offer) continue;
    offers.push(offer);
    const needs = one.skill.tags;
    if (offer.not === null && needs.every((tag) => tags.includes(tag)))
      lanes.set(laneOf({ ...offer, tags: needs }), offer.skill);
  }
  return { offers, lanes };
}

async function offerOf(
  registered: Registered,
  runs: SkillRuns,
  only: readonly string[] | undefined,
): Promise<Offer | undefined> {
  const { skill } = registered;
  try {
    const code = await digestCode(registered);
    const { digest } = versionOf(skill, code.digest);
    const offer = (not: Offer["not"]): Offer => ({ skill: skill.name, digest, not });
    if (only && !only.includes(skill.name)) return offer("skills");
    try {
      await runs.permitted(skill.name);
    } catch (error) {
      if (error instanceof EngineError) return offer("trust");
      throw error;
    }
    try {
      await runs.refuseForbidden(skill.name);
    } catch (error) {
      if (error instanceof EngineError) return offer("policy");
      throw error;
    }
    return offer(null);
  } catch (error) {
    // Code that cannot be read is not offered; "knack registry" says what is wrong with it.
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
