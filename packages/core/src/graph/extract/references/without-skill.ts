import type { Lexicon } from "../lexicon/lexicon.ts";

/** A name that no skill has, and how it is written. */
export interface Unknown {
  readonly name: string;
  readonly isCall: boolean;
  readonly isSkill: boolean;
  readonly isExact: boolean;
  readonly before: string;
  readonly after: string;
  readonly namespace: string | undefined;
}

/** By which form it clearly means a skill all the same. */
export function isMeantWithoutSkill(unknown: Unknown, lexicon: Lexicon): string | undefined {
  const { name, isCall, isSkill, isExact, before, namespace } = unknown;
  if (/^\d+$/.test(name) || lexicon.says("placeholder", name)) return undefined;
  if (lexicon.has("former-skill", { before })) return undefined;
  if (isCall) return name.length > 2 && /^[a-z]/.test(name) ? "skill-call" : undefined;
  if (/SUB-SKILL\b[^.]{0,40}$/.test(before))
    return namespace !== undefined || (isExact && name.includes("-")) ? "labelled-name" : undefined;
  // "building a `pdf-editor` skill" speaks of one that could be.
  const isNamed = isSkill && isExact && name.includes("-") && /^[a-z]/.test(name);
  return isNamed && !/\ban?\s+\W?$/i.test(before) ? "marked-name" : undefined;
}
