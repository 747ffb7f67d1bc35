import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { painter } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import type { SkillFinding } from "../plan/findings.ts";

const MAX_SHOWN = 20;
const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Errors and warnings, a line each; notes are only for `knack lint`. */
export function findingLines(
  findings: readonly SkillFinding[],
  options: GlobalOptions,
  title = "knack lint",
): string[] {
  const told = findings.filter(({ severity }) => severity !== "note");
  if (told.length === 0) return [];
  const paint = painter(options, 2);
  const errors = told.filter(({ severity }) => severity === "error").length;
  const counts = `${pluralize(errors, "error")}, ${pluralize(told.length - errors, "warning")}`;
  const lines = told.slice(0, MAX_SHOWN).map(({ severity, rule, skill, file, line, message }) => {
    const where = escapeControl(`${skill}/${file}${line === undefined ? "" : `:${line}`}`);
    return `  ${paint(COLORS[severity], severity)} ${where}: ${escapeControl(message)} (${rule})`;
  });
  const more = told.length > MAX_SHOWN ? [`  and ${told.length - MAX_SHOWN} more`] : [];
  return [`${title}: ${counts}`, ...lines, ...more];
}

export const hasErrors = (findings: readonly SkillFinding[]): boolean =>
  findings.some(({ severity }) => severity === "error");
