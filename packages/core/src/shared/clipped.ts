const MAX_SHOWN = 200;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text as an error may show it: on one line, what cannot be seen spelled out, at most 200 characters. */
export function clipped(text: string): string {
  const characters = [...text.slice(0, MAX_SHOWN * 2)];
  const cut = characters.length > MAX_SHOWN;
  const shown = (cut ? characters.slice(0, MAX_SHOWN - 1) : characters).join("").toWellFormed();
  const plain = shown.replace(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
  return cut ? `${plain}…` : plain;
}
