import type { TypedSkill } from "@knack/engine";

/** A typed skill as programs see it: its contract, and not where it is declared. */
export function typedSkillReport(skill: TypedSkill): object {
  const { name, description, implementation, inputs, outputs, params, idempotency } = skill;
  return { name, description, implementation, inputs, outputs, params, idempotency };
}
