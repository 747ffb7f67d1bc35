/** Marks that a writer may leave out: accents of Latin and Greek, vowels of Arabic and Hebrew, the dots of Devanagari and its sisters. */
const MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}|[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c]/gu;

/** Letters that are written in two ways in one word and are not told apart by a mark, and what only joins or stretches letters. */
const SAME: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i" },
  ...{ ё: "е", ґ: "г", ς: "σ", "\u0901": "\u0902" },
  ...{ "\u0671": "\u0627", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647" },
  ...{ "\u0640": "", "\u200c": "", "\u200d": "", "\u00ad": "" },
};
const OTHER_SPELLING = new RegExp(`[${Object.keys(SAME).join("")}]`, "gu");

/** A word, normalized to NFKC, in lower case and in one spelling: "Über" and "uber", "Всё" and "все", "إلى" and "الى" are the same. */
export function foldLetters(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replace(MARKS, "")
    .normalize("NFKC")
    .replace(OTHER_SPELLING, (letter) => SAME[letter] ?? "");
}

/** Endings, and articles before a word, that say how it is used and not what it means. */
const AFFIXES: readonly (readonly [script: RegExp, affixes: RegExp])[] = [
  [
    /^\p{Script=Cyrillic}/u,
    /(?<=.{3})(?:иями|иях|иям|ами|ями|ого|его|ому|ему|ыми|ими|ием|ов|ев|ей|ий|ия|ие|ии|ию|ый|ой|ая|яя|ое|ее|ые|ом|ем|ам|ям|ах|ях|ую|юю|а|я|о|е|ы|и|у|ю|ь|й)$/u,
  ],
  [/^\p{Script=Arabic}/u, /^[وفبك]?ال(?=.{3})|^لل(?=.{3})|(?<=.{3})(?:ات|ون|ين|ان|ها|يه|ه|ي)$/gu],
  [/^\p{Script=Devanagari}/u, /(?<=.{2})(?:ि?य)?[\u0900-\u0903\u0905-\u0914\u093e-\u094c]+$/u],
];

/** A folded word without them. English words have their own stems. */
export function withoutAffixes(word: string): string {
  const [, affixes] = AFFIXES.find(([script]) => script.test(word)) ?? [];
  return affixes ? word.replace(affixes, "") : word;
}
