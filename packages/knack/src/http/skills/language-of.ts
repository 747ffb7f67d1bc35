/** The languages that a filter can name: those that their script tells. */
export const LANGUAGES = ["latin", "chinese", "japanese", "korean", "cyrillic", "other"] as const;
export type Language = (typeof LANGUAGES)[number];

const SCRIPTS: readonly (readonly [Language, RegExp])[] = [
  ["japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["korean", /\p{Script=Hangul}/gu],
  ["chinese", /\p{Script=Han}/gu],
  ["cyrillic", /\p{Script=Cyrillic}/gu],
  ["latin", /\p{Script=Latin}/gu],
];

/** A character of these says as much as several letters. */
const WIDE = 3;
const MAX_READ = 400;

/** What a description is written in, by its letters: Japanese has kana, and Chinese none. */
export function languageOf(text: string): Language {
  const start = text.slice(0, MAX_READ);
  const counts = new Map(SCRIPTS.map(([name, letters]) => [name, start.match(letters)?.length ?? 0]));
  const of = (name: Language): number => counts.get(name) ?? 0;
  const latin = of("latin") + of("cyrillic");
  const wide = of("japanese") + of("korean") + of("chinese");
  if (wide * WIDE > latin) {
    if (of("japanese") > 0) return "japanese";
    return of("korean") > of("chinese") ? "korean" : "chinese";
  }
  if (of("cyrillic") > of("latin")) return "cyrillic";
  return of("latin") > 0 ? "latin" : "other";
}
