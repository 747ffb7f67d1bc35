import type { LintSeverity } from "../finding.ts";

/** A rule as `docs/lint.md`, `--sarif` and a person see it. */
export interface LintRule {
  readonly id: string;
  readonly category: "security" | "quality";
  /** What it has where nothing around the place says otherwise. */
  readonly severity: LintSeverity;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly isFixable?: boolean;
}

type MakeRule = (
  id: string,
  severity: LintSeverity,
  what: string,
  why: string,
  remedy: string,
  isFixable?: boolean,
) => LintRule;

/** Makes the rules of one category from their texts. */
export const rulesOf =
  (category: LintRule["category"]): MakeRule =>
  (id, severity, what, why, remedy, isFixable = false) => ({
    id,
    category,
    severity,
    what,
    why,
    remedy,
    ...(isFixable ? { isFixable } : {}),
  });
