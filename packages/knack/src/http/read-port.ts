import { SkillError } from "@knack/core";
import { quote } from "@knack/core/text";

export const PORT = 4747;

export function readPort(text: string | undefined, option = "--port"): number {
  if (text === undefined) return PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new SkillError("INVALID_PARAM", `${option} takes a number from 0 to 65535, not ${quote(text)}.`);
}
