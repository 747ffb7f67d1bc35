import type { LintSeverity, Remark } from "../finding.ts";
import type { LintText, Passage, Stance } from "../text/passage.ts";
import { isQuoted, saidWords, stanceOf } from "../text/stance.ts";

export type Lowering = keyof Stance | "quoted";

/** One pattern of a rule. All of them take linear time: a gap has a bound, and no two gaps follow each other. */
export interface Pattern {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly message: string;
  readonly pattern: RegExp;
  /** What else the passage must have. */
  readonly and?: RegExp;
  /** What excuses it entirely. */
  readonly unless?: RegExp;
  /** What lowers it to a note. */
  readonly lowered: readonly Lowering[];
}

/** A command that is an example, is forbidden, or waits for the user. */
export const COMMAND: readonly Lowering[] = ["describes", "negates", "consents"];
/** Sentences with "do not" in them by their nature. */
export const SAID: readonly Lowering[] = ["describes", "quoted"];

/** The remark that a pattern makes of a passage. In a comment that nobody sees, nothing lowers it. */
export function judge(text: LintText, passage: Passage, rule: Pattern): Remark | undefined {
  const match = rule.pattern.exec(passage.text);
  if (!match || (rule.and && !rule.and.test(passage.text)) || rule.unless?.test(passage.text))
    return undefined;
  const severity = passage.kind === "comment" ? "error" : lower(passage, match.index, rule);
  return {
    rule: rule.rule,
    severity,
    file: text.file,
    line: passage.line,
    message: rule.message,
    subject: passage.text,
  };
}

function lower(passage: Passage, index: number, { severity, lowered }: Pattern): LintSeverity {
  const isLowered = lowered.some((by) => {
    if (by === "quoted") return isQuoted(passage.text, index);
    return passage.around[by] || ownStance(passage)[by];
  });
  return isLowered ? "note" : severity;
}

/** Of code only a remark behind it counts: the words of a command are not about it. */
export function ownStance({ kind, text }: Passage): Stance {
  if (kind !== "code") return stanceOf(saidWords(text));
  const remark = /\s(?:#|\/\/)\s(.*)$/.exec(text)?.[1] ?? "";
  const isPattern = /^\s*(?:-\s*)?(?:pattern|regex|message|\$\w+\s*=)\b/.test(text);
  const own = stanceOf(remark);
  return isPattern ? { ...own, describes: true } : own;
}
