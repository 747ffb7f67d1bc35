import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";

/** How descriptions say when a skill applies. */
const WHEN =
  /\b(?:use|used|using|invoke|trigger|activate|apply|applies|load|call|run|choose|pick|consult|read)s?(?:\s+\w+){0,4}?\s*(?:when|whenever|if|for|to|before|after|while|during|with|on|in|at|as|by|proactively|first|this)\b|\bwhen(?:ever)?\b|\btriggers?\b|\bif (?:the|a|you|user|there)\b|\b(?:helps?|useful|ideal|intended|designed) (?:when|for|with|in)\b|当|时使用|时|用于|适用|触发|场景|とき|時|場合|際|使う|使用|向け|用途/i;

const MIN_LETTERS = 40;
const MIN_WIDE_LETTERS = 15;
/** Beyond this a description costs more in every conversation than it explains. */
const LONG = 1_024;

export function* checkDescription({ reading, texts }: LintSkill): Generator<Remark> {
  const { description } = reading;
  // Without one the skill is not valid, which `knack validate` reports.
  if (description === "") return;
  const at = texts[0]?.lines.findIndex((line) => /^(?:description|summary)\s*:/.test(line)) ?? -1;
  const place = { file: "SKILL.md", ...(at === -1 ? {} : { line: at + 1 }) };
  if (!WHEN.test(description))
    yield {
      rule: "description-when",
      severity: "warning",
      ...place,
      message: "The description does not say when to use the skill.",
    };
  const length = [...description].length;
  const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(description);
  if (length < (isWide ? MIN_WIDE_LETTERS : MIN_LETTERS))
    yield {
      rule: "description-length",
      severity: "warning",
      ...place,
      message: `The description has only ${length} characters.`,
    };
  else if (length > LONG)
    yield {
      rule: "description-length",
      severity: "warning",
      ...place,
      message: `The description has ${length} characters; the open standard allows ${LONG}.`,
    };
}
