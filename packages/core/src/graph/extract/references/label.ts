import type { Lexicon } from "../lexicon/lexicon.ts";

/** "REQUIRED SUB-SKILL: Use " */
export interface Label {
  readonly rule: string;
  /** The text from the label to the name. */
  readonly text: string;
  /** What it says is required: "SUB-SKILL"; empty if it does not say. */
  readonly kind: string;
  /** The text between the colon and the name. */
  readonly rest: string;
}

/** The label before a name. */
export function labelBefore(before: string, lexicon: Lexicon): Label | null {
  const found = lexicon.match("label", before);
  if (!found) return null;
  const { kind = "", rest = "" } = found.match.groups ?? {};
  return { rule: found.rule.id, text: found.match[0], kind, rest };
}

const SKILL = /skill|スキル|技能/i;
/** Only signs and a namespace between label and name. */
const AT_ONCE = /^\W*(?:[\w.-]+:)?\W?$/;

/** Whether a label about skills leads to this name: "REQUIRED SUB-SKILL: Use x". */
export function isLabelledSkill(before: string, isExact: boolean, lexicon: Lexicon): boolean {
  const label = labelBefore(before, lexicon);
  if (!label || !SKILL.test(label.kind)) return false;
  const { rest } = label;
  if (isExact) return !/[.;。；]/.test(rest);
  if (AT_ONCE.test(rest)) return true;
  return lexicon.has("directs", { before: rest }) && rest.trim().split(/\s+/).length < 4;
}
