/** More marks on one letter are a trick that makes normalizing quadratic; no word is changed by dropping them. */
const MAX_MARKS = 128;
const TOO_MANY = new RegExp(`(?<=(?<!\\p{M})\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");

/** One Unicode form, in linear time. */
export function normalize(text: string, form: "NFC" | "NFKC"): string {
  return (text.length > MAX_MARKS ? text.replace(TOO_MANY, "") : text).normalize(form);
}

const ASCII = /^[!-~]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Makes two names one that people take for one: case, composition, width, outer and repeated space and invisible characters
 * do not count (NFKC_Casefold). Down, up and down again joins letters that share a capital (ſ and s, ẞ and ss).
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
