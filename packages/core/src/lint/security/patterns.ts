import type { LintSeverity, Remark } from "../finding.ts";
import type { LintPassage, LintText } from "../lint-text.ts";
import type { LintSkill } from "../read-lint-skill.ts";
import { isQuoted, type Stance, saidWords, stanceOf } from "../stance.ts";

type Lowering = keyof Stance | "quoted";

/** One pattern of a rule. All of them take linear time: a gap has a bound, and no two gaps follow each other. */
export interface Pattern {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly message: string;
  readonly pattern: RegExp;
  readonly and?: RegExp;
  readonly unless?: RegExp;
  readonly lowered: readonly Lowering[];
}

/** A command that is an example, is forbidden, or waits for the user. */
export const COMMAND: readonly Lowering[] = ["describes", "negates", "consents"];
/** Sentences with "do not" in them by their nature. */
export const SAID: readonly Lowering[] = ["describes", "quoted"];

/** The first argument says in what its patterns differ. */
export function patternsOf(
  rule: string,
  severity: LintSeverity,
  message: string,
  lowered: readonly Lowering[],
): (differences: Partial<Pattern>, ...patterns: readonly RegExp[]) => Pattern[] {
  return (differences, ...patterns) =>
    patterns.map((pattern) => ({ rule, severity, message, pattern, lowered, ...differences }));
}

export function anyOf(...sources: readonly string[]): RegExp {
  return new RegExp(sources.join("|"), "i");
}

/** The remark that a pattern makes of a passage. In a comment that nobody sees, nothing lowers it. */
function judge(text: LintText, passage: LintPassage, rule: Pattern): Remark | undefined {
  const match = rule.pattern.exec(passage.text);
  if (!match || (rule.and && !rule.and.test(passage.text)) || rule.unless?.test(passage.text))
    return undefined;
  const severity = passage.kind === "comment" ? "error" : lower(passage, match.index, rule);
  const { line, text: subject } = passage;
  return { rule: rule.rule, severity, file: text.file, line, message: rule.message, subject };
}

function lower(passage: LintPassage, index: number, { severity, lowered }: Pattern): LintSeverity {
  const isLowered = lowered.some((by) => {
    if (by === "quoted") return isQuoted(passage.text, index);
    return passage.around[by] || ownStance(passage)[by];
  });
  return isLowered ? "note" : severity;
}

/** Of code only a remark behind it counts: the words of a command are not about it. */
export function ownStance({ kind, text }: LintPassage): Stance {
  if (kind !== "code") return stanceOf(saidWords(text));
  const remark = /\s(?:#|\/\/)\s(.*)$/.exec(text)?.[1] ?? "";
  const isPattern = /^\s*(?:-\s*)?(?:pattern|regex|message|\$\w+\s*=)\b/.test(text);
  const own = stanceOf(remark);
  return isPattern ? { ...own, describes: true } : own;
}

export function checkPatterns(patterns: readonly Pattern[], { texts }: LintSkill): Remark[] {
  return texts.flatMap((text) =>
    text.passages.flatMap((passage) => patterns.flatMap((pattern) => judge(text, passage, pattern) ?? [])),
  );
}
