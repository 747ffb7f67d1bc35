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
