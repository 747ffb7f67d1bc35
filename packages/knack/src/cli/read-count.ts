import { SkillError } from "@knack/core";
import { quote } from "@knack/core/text";

/** An option that counts something. */
export function readCount(option: string, given: string | undefined, fallback: number): number {
  const value = given === undefined ? fallback : /^\d+$/.test(given) ? Number(given) : 0;
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new SkillError(
    "INVALID_PARAM",
    `${option} must be a whole number of at least 1, not ${quote(given)}.`,
  );
}
