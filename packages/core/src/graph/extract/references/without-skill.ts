import type { Lexicon } from "../lexicon/lexicon.ts";
import { isLabelledSkill } from "./label.ts";

/** A name that no skill has, and how it is written. */
export interface Unknown {
  readonly name: string;
  readonly isCall: boolean;
  readonly isSkill: boolean;
  readonly isExact: boolean;
  readonly before: string;
  readonly after: string;
  readonly namespace: string | undefined;
  /** Joined by "and" or a comma to a name after a label. */
  readonly isJoinedToLabelled: boolean;
}

/** The form by which it clearly means a skill. */
export function isMeantWithoutSkill(unknown: Unknown, lexicon: Lexicon): string | undefined {
  const { name, isCall, isSkill, isExact, before, after, namespace, isJoinedToLabelled } = unknown;
  if (/^\d+$/.test(name) || lexicon.says("placeholder", name)) return undefined;
  if (lexicon.has("former-skill", { before })) return undefined;
  if (isCall) return name.length > 2 && /^[a-z]/.test(name) ? "skill-call" : undefined;
  if (/SUB-SKILL\b[^.]{0,40}$/.test(before) && (namespace !== undefined || (isExact && name.includes("-"))))
    return "labelled-name";
  // "Use test-driven development" does not name a skill.
  const mayEnd = isExact || isSkill || lexicon.has("goes-on", { after });
  if (name.includes("-") && mayEnd && (isJoinedToLabelled || isLabelledSkill(before, isExact, lexicon)))
    return "labelled-name";
  // "building a `pdf-editor` skill" is about a possible skill.
  const isNamed = isSkill && isExact && name.includes("-") && /^[a-z]/.test(name);
  return isNamed && !/\ban?\s+\W?$/i.test(before) ? "marked-name" : undefined;
}
