import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { painter } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import type { SkillFinding } from "../plan/findings.ts";

const MAX_SHOWN = 20;
const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Errors, and warnings on security, a line each. How well a skill is written matters less here, so its warnings are a number. */
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
  const grave = told.filter(({ severity, category }) => severity === "error" || category === "security");
  const lines = grave.slice(0, MAX_SHOWN).map(({ severity, rule, skill, file, line, message }) => {
    const where = escapeControl(`${skill}/${file}${line === undefined ? "" : `:${line}`}`);
    return `  ${paint(COLORS[severity], severity)} ${where}: ${escapeControl(message)} (${rule})`;
  });
  const quality = told.length - grave.length;
  return [
    `${title}: ${counts}`,
    ...lines,
    ...(grave.length > lines.length ? [`  and ${grave.length - lines.length} more`] : []),
    ...(quality > 0 ? [`  ${pluralize(quality, "warning")} on quality, which "knack lint" shows`] : []),
  ];
}
