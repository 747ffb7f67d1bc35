import { QUALITY_RULES } from "./quality-rules.ts";
import type { LintRule } from "./rule.ts";
import { SECURITY_RULES } from "./security-rules.ts";

/** Every rule, security first, in the order of `docs/lint.md`. */
export const LINT_RULES: readonly LintRule[] = [...SECURITY_RULES, ...QUALITY_RULES];

const BY_ID = new Map(LINT_RULES.map((rule) => [rule.id, rule]));

export function lintRule(id: string): LintRule | undefined {
  return BY_ID.get(id);
}
