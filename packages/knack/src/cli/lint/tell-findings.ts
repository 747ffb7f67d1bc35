import { type Finding, lintRule } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { painter } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl } from "../../terminal/visible.ts";

const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Findings for a person: `path:line` first, so that editors can jump there; then what to do, once a rule. */
export function tellFindings(findings: readonly Finding[], cwd: string, options: GlobalOptions): string[] {
  const paint = painter(options);
  const lines = findings.map(({ path, line, rule, severity, message }) => {
    const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
    return `${paint("bold", place)}: ${paint(COLORS[severity], `${severity} ${rule}`)}: ${escapeControl(message)}`;
  });
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const advice = rules.map((id) => `  ${paint("bold", id)}: ${lintRule(id)?.remedy ?? ""}`);
  return advice.length === 0 ? lines : [...lines, "", "What to do:", ...advice];
}
