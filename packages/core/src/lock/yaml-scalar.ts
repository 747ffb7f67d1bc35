const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*$/;
/** What YAML, in one of its versions, reads as a number, a time, a truth value or nothing. */
const READ_AS_OTHER = /^(?:[\d.:e_+-]+|0[xob][\da-f_]+|true|false|yes|no|on|off|y|n|null)$/i;
/** Letters, marks, digits, punctuation, symbols and spaces can be seen; all else is written out, so that a diff hides nothing. */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\u034f\u115f\u1160\u3164\ufe00-\ufe0f\uffa0]/gu;

/** A text as a YAML scalar: plain where nobody could read it as something else, in quotation marks otherwise. */
export function yamlScalar(text: string): string {
  if (PLAIN.test(text) && !READ_AS_OTHER.test(text)) return text;
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(UNSEEN, written)}"`;
}

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
