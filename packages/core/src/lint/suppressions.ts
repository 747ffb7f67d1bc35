import type { Remark } from "./finding.ts";
import type { LintSkill } from "./lint-skill-input.ts";
import { lintRule } from "./rules/rules.ts";

/** `<!-- knack-lint-disable rule: reason -->` for the file, `knack-lint-disable-next-line` for one line. */
const FORM = /^\s*knack-lint-disable(-next-line)?\b\s*([\w-]*)\s*(?:[:：]\s*(.*?))?\s*$/;

interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly file: string;
  readonly line: number;
  /** The only line that it is for. */
  readonly only?: number;
}

/** With the reason, where it is suppressed. */
type SuppressibleRemark = Remark & { readonly suppressed?: string };

/**
 * Applies the suppressions of a skill's own files, and reports those that are wrong or of no use. Only quality rules can be
 * suppressed there: the author of a hostile skill writes the comments too.
 */
export function applySuppressions(
  skill: LintSkill,
  remarks: readonly Remark[],
): readonly SuppressibleRemark[] {
  const valid: Suppression[] = [];
  const own: Remark[] = [];
  for (const found of suppressionsOf(skill)) {
    const wrong = mistakeOf(found);
    if (wrong === undefined) valid.push(found);
    else
      own.push({
        rule: "bad-suppression",
        severity: "warning",
        file: found.file,
        line: found.line,
        message: wrong,
      });
  }
  const used = new Set<Suppression>();
  const judged = remarks.map((remark) => {
    const by = valid.find(
      ({ rule, file, only }) =>
        rule === remark.rule && file === remark.file && (only === undefined || only === remark.line),
    );
    if (by) used.add(by);
    return by ? { ...remark, suppressed: by.reason } : remark;
  });
  for (const { rule, file, line } of valid.filter((one) => !used.has(one))) {
    const message = `Nothing of ${rule} is here to suppress.`;
    own.push({ rule: "unused-suppression", severity: "note", file, line, message });
  }
  return [...judged, ...own];
}

function* suppressionsOf({ texts }: LintSkill): Generator<Suppression> {
  for (const { file, passages } of texts) {
    for (const { kind, text, line } of passages) {
      const [found, next, rule = "", reason = ""] = (kind === "comment" && FORM.exec(text)) || [];
      if (found === undefined) continue;
      yield { rule, reason: reason.trim(), file, line, ...(next ? { only: line + 1 } : {}) };
    }
  }
}

function mistakeOf({ rule, reason }: Suppression): string | undefined {
  const known = lintRule(rule);
  if (!known) return "The suppression names no rule of the lint.";
  if (known.category === "security")
    return `${rule} is a security rule, which a skill's own file cannot suppress; use a baseline.`;
  return reason === "" ? `The suppression of ${rule} gives no reason; write it after a colon.` : undefined;
}
