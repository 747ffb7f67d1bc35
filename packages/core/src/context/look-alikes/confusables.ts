/**
 * Characters that a reader takes for a letter or a sign of a tag, after UTS #39: the code points, in hexadecimal, that
 * look like each letter of the wrappers' names beyond what Unicode's own compatibility forms, case and marks say. A
 * letter in two looks (U+017F is an s that looks like an f) makes both one class; see `CLASSES`.
 */
const LETTERS: Readonly<Record<string, string>> = {
  a: "251 3b1 430 1d00 1d8f 237a 2c65 2c81 a4ee ab30 ab7a 13aa 15c5 102a0 10300",
  c: "a2 a9 188 23c 255 297 3f2 441 4ab 1974 1d04 20b5 2282 2ca5 2e26 a4da a793 abaf 13df 102a2 10302 10415 1043d 1051c",
  e: "247 25b 3b5 435 454 4bd 4bf 511 1d07 1d92 20ac 212e 2208 220a 22ff 2c78 2c89 2d39 a4f0 ab32 ab7c 13ac 10286",
  f: "192 284 3dd 493 584 15b4 1e9d 20a3 2a0d a4dd a730 a799 10287 102a5 10525 1d213",
  g: "18d 1e5 260 261 262 50d 581 1d83 20b2 a4d6 ab90 13c0 13f3 13fb",
  i: "131 268 269 26a 3b9 456 2373 2c93 a647 ab75 13a5",
  k: "138 199 3ba 43a 49b 49d 49f 4a1 4c4 1d0b 1d84 16d5 20ad 2c6a 2c95 a4d7 a741 a743 a745 abb6 13e6 1028b 10518",
  l: "142 19a 1c0 234 26b 26c 26d 29f 4cf 5c0 5d5 5df 627 661 6f1 7ca 1175 14aa 16c1 1d85 2223 23fd 2502 2503 2758 2759 2c61 2cd1 2d4f 4e28 a4e1 a4f2 a749 abae 13de 10309 10320 1041b 10443 10526 16f16 16f28 1e8c7",
  n: "14b 19e 272 273 274 3b7 3bd 438 43f 578 57c 5d7 144e 1952 1d87 20a6 2229 22c2 2c9b a4e0 a791 10513",
  o: "b0 f8 275 298 3bf 3c3 43e 473 4e9 585 5e1 647 665 6be 6c1 6d5 6f5 7c0 966 9e6 b20 b66 be6 c66 ce6 d20 d66 e50 ed0 101d 1040 10ff 12d0 1d0f 1d11 2218 25cb 25cf 25e6 25ef 26aa 26ab 26ac 2b55 2c7a 2c9f 2d54 3007 a4f3 a74b ab3d 10292 102ab 10404 1042c 104c2 104ea 10516 114d0 118c8",
  s: "24 a7 1bd 23f 282 283 3c2 455 54f 93d d1f 1515 1d8a a4e2 a731 aba5 abaa 13d5 13da 10296 10420 10448 16f3a",
  t: "167 1ab 1ad 1c2 236 288 3c4 442 4ad 50f 7e0 1350 1d1b 1d75 2020 20ae 22a4 27d9 2c66 2ca7 3112 4e01 4e05 5341 a4d4 a787 ab72 13a2 10297 102b1 10315 1f768",
  u: "289 28b 3bc 3c5 57d 5d8 1200 144c 1d1c 1d7e 1d99 222a 22c3 51f5 a4f4 ab4e ab52 104ce 104f6 118d8",
  x: "d7 3c7 445 4b3 4fd 4ff 1541 157d 166d 166e 16b7 1d8d 2573 2613 2715 2716 2717 2718 274c 274e 292b 292c 2a2f 2cad 2d5d 3128 30e1 4e42 a4eb ab53 10290 102b4 10317 10322 10527",
  _: "2cd 7fa 2017 203f 2040 23b5 23bc 23bd 2581 2e0f",
  "/": "5c 1735 2041 2044 2215 2216 244a 2571 2572 27cb 27cd 29f5 29f8 29f9 2afb 2afd 2cc6 2cc7 3033 3035 30ce 30fd 31d3 31d4 4e3f 1d20f 1d23a 1d23b",
};

/** Alphabets of signs that Unicode does not relate to letters: negative circled, negative squared, regional indicators. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

/** Letters that are one to a reader: `skiII_c0ntext`, `ſkill`, `skill_ſiles`. */
const CLASSES: Readonly<Record<string, string>> = { i: "l", "1": "l", "|": "l", "0": "o", f: "s" };

/** Marks below a letter that may be read as the underscore after it. */
const LOW_LINES = new Set(["\u0320", "\u0331", "\u0332", "\u0333", "\u0347"]);
/** What `fold` answers for one of them: an underscore, or nothing. */
export const MAYBE_UNDERSCORE = "\u0332";

/** Passed over without being noticed: space, controls, all that has no glyph, and marks on the letter before. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const CONFUSABLES = new Map<string, string>();
for (const [letter, codes] of Object.entries(LETTERS))
  for (const code of codes.split(" "))
    CONFUSABLES.set(String.fromCodePoint(Number.parseInt(code, 16)), letter);
for (const first of ALPHABETS)
  for (let at = 0; at < 26; at++)
    CONFUSABLES.set(String.fromCodePoint(first + at), String.fromCharCode(0x61 + at));

/** All that the table knows, for tests that make disguises: the letter, and a character that looks like it. */
export function* confusables(): Generator<readonly [letter: string, character: string]> {
  for (const [character, letter] of CONFUSABLES) yield [letter, character];
}

/** What was asked before: Unicode's forms take a microsecond each, and a text repeats its characters. */
const folded = new Map<string, string>();
const MAX_KEPT = 4096;

/**
 * One character as a hurried reader sees it: small ASCII letters by class, `_`, `/`, itself where it looks like none of
 * them, and nothing at all where there is nothing to see.
 */
export function fold(character: string): string {
  const known = CONFUSABLES.get(character);
  if (known !== undefined) return CLASSES[known] ?? known;
  if (character <= "\x7f") {
    if (character <= " " || character === "\x7f") return "";
    const small = character.toLowerCase();
    return CLASSES[small] ?? small;
  }
  let result = folded.get(character);
  if (result === undefined) {
    result = LOW_LINES.has(character) ? MAYBE_UNDERSCORE : foldByForm(character);
    if (folded.size < MAX_KEPT) folded.set(character, result);
  }
  return result;
}

function foldByForm(character: string): string {
  // "⒮" is "(s)" to Unicode.
  const letters = character
    .normalize("NFKD")
    .replace(UNSEEN, "")
    .replace(/^\((.)\)$/u, "$1");
  let result = "";
  for (const letter of letters) {
    const small = CONFUSABLES.get(letter) ?? letter.toLowerCase().replace(UNSEEN, "");
    const plain = CONFUSABLES.get(small) ?? small;
    result += CLASSES[plain] ?? plain;
  }
  return result;
}
