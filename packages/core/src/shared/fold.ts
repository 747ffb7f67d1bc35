/**
 * More marks than this on one letter are a trick: putting them into order takes time that grows with the square of their
 * number. It is more than the longest word may have, so that no word changes by leaving the rest away.
 */
const MAX_MARKS = 128;
const TOO_MANY = new RegExp(`(?<=(?<!\\p{M})\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");

/** One Unicode form, in linear time. */
export function normalize(text: string, form: "NFC" | "NFKC"): string {
  return (text.length > MAX_MARKS ? text.replace(TOO_MANY, "") : text).normalize(form);
}

const ASCII = /^[!-~]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * What two names have in common that people take for one name: case, composed or decomposed letters, full-width letters,
 * outer space, how much space is between two words, and characters that nobody sees do not count. This is Unicode's NFKC_Casefold, and the one folding of names
 * in Knack. Down, up and down again makes letters one that share a capital (ſ and s, ẞ and ss).
 */
export function fold(name: string): string {
  // Nearly all names are plain, and thousands are folded for one graph.
  if (ASCII.test(name)) return name.toLowerCase();
  const visible = normalize(name, "NFKC").replace(INVISIBLE, "");
  const lower = visible.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return normalize(lower, "NFKC").trim().replace(/\s+/g, " ");
}

/** Whether two names are the same text. A name can be written composed or decomposed, so the bytes may differ. */
export function isSameName(a: string, b: string): boolean {
  return a === b || normalize(a, "NFC") === normalize(b, "NFC");
}

/** By code units: the same order on every machine and in every language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
