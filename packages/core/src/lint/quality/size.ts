import { estimateTokens } from "../../context/estimate-tokens.ts";
import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";

/** What the open standard recommends for the text that is loaded whole. */
const MAX_TOKENS = 5_000;
const MAX_LINES = 500;

export function* checkSize({ reading, texts }: LintSkill): Generator<Remark> {
  const tokens = estimateTokens(reading.body);
  const lines = texts[0]?.lines.length ?? 0;
  if (tokens > MAX_TOKENS)
    yield {
      rule: "token-cost",
      severity: "warning",
      file: "SKILL.md",
      message: `The text costs about ${tokens} tokens each time it is loaded; at most ${MAX_TOKENS} are recommended.`,
    };
  else if (lines > MAX_LINES)
    yield {
      rule: "token-cost",
      severity: "note",
      file: "SKILL.md",
      message: `The text has ${lines} lines; at most ${MAX_LINES} are recommended.`,
    };
}
