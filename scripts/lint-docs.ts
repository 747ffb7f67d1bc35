import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LINT_RULES, type LintRule } from "../packages/core/src/lint/rules.ts";

export const LINT_DOCS = join(import.meta.dirname, "../docs/lint.md");

/** `docs/lint.md` with the rules as they are; what is written above them stays. */
export function lintDocs(): string {
  const [start = ""] = readFileSync(LINT_DOCS, "utf8").split(/^## Security rules$/m);
  const sections = (category: LintRule["category"]) =>
    LINT_RULES.filter((rule) => rule.category === category).map(section);
  return [
    start.trimEnd(),
    "## Security rules",
    ...sections("security"),
    "## Quality rules",
    ...sections("quality"),
  ]
    .join("\n\n")
    .concat("\n");
}

function section({ id, severity, what, remedy, example, isFixable }: LintRule): string {
  return [
    `### ${id}`,
    `**${severity}**${isFixable ? ", fixed by `--fix`" : ""}. ${what}`,
    `Fix: ${remedy}`,
    example.startsWith("Example: ") ? example : `\`\`\`\`markdown\n${example}\n\`\`\`\``,
  ].join("\n\n");
}

if (import.meta.main) writeFileSync(LINT_DOCS, lintDocs());
