import { denies, describeRule, type Policy, refersTo } from "@knack/core/internal/engine";
import { EngineError } from "../../shared/engine-error.ts";

/**
 * A deny applies to everyone, so every run checks it here. A rule matches a typed skill by its tool, or by `skill_name`
 * with any tool; a rule that forbids reading all skills does not apply to runs.
 */
export function refuseDenied(policy: Policy, name: string): void {
  if ("problem" in policy)
    throw new EngineError(
      "ACCESS_DENIED",
      `Nothing is allowed while the configuration has an error. ${policy.problem}`,
    );
  const rule = policy.permissions.deny.find(
    (one) =>
      (one.skill_name !== undefined && refersTo(one.skill_name, { name })) ||
      denies(one, { tool: name, skill: { name }, actor: "person" }),
  );
  if (rule)
    throw new EngineError(
      "ACCESS_DENIED",
      `Policy denies the typed skill ${name}: the rule ${describeRule("deny", rule)} forbids it. Run "knack allow ${name}", or remove the rule.`,
    );
}
