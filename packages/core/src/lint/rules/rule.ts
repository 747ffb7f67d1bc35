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
