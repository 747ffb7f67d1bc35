import { quote } from "../../shared/quote.ts";
import type { LintSeverity, Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";

/** A grant of everything, or of a program that runs everything. */
const EVERYTHING = /^(?:\*|all|mcp__\*|(?:Bash|Shell|WebFetch|run_shell_command)\(\s*(?:\*|:\*)\s*\))$/i;
const ANY_COMMAND =
  /^(?:Bash|Shell)\(\s*(?:sudo|su|doas|(?:ba|z|da)?sh|eval|exec|xargs|env|powershell|cmd)(?:\s+-\S+)?\s*(?::?\s*\*)\s*\)$/i;
const INTERPRETER =
  /^(?:Bash|Shell)(?:$|\(\s*(?:python[23]?|node|perl|ruby|php|deno|bun|npx|curl|wget|ssh|docker|rm)\s*:?\s*\*\s*\)$)/i;

/** `allowed-tools` that allow more than a skill can need. */
export function* checkGrantedTools({ reading, texts }: LintSkill): Generator<Remark> {
  const lines = texts[0]?.lines ?? [];
  const at = lines.findIndex((line) => line.startsWith("allowed-tools"));
  for (const tool of reading.facts?.allowedTools ?? []) {
    const severity = severityOf(tool.trim());
    if (severity === undefined) continue;
    const message = `"allowed-tools" grants ${quote(tool)}, which lets the skill run nearly anything.`;
    yield {
      rule: "broad-tools",
      severity,
      file: "SKILL.md",
      message,
      ...(at === -1 ? {} : { line: at + 1 }),
    };
  }
}

function severityOf(tool: string): LintSeverity | undefined {
  if (EVERYTHING.test(tool) || ANY_COMMAND.test(tool)) return "warning";
  return INTERPRETER.test(tool) ? "note" : undefined;
}
