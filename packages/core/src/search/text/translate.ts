import { readFileSync } from "node:fs";
import { functionWordsIn, isFunctionWord } from "./function-words.ts";
import { foldLetters, withoutAffixes } from "./letters.ts";
import { tokenize } from "./tokenize.ts";

/** How words of a language are written, and how they continue after their stem. */
interface Endings {
  readonly script: RegExp;
  /** The longest ending, after a stem of `stem` letters or more, and after a shorter one. */
  readonly most: number;
  readonly stem: number;
  readonly mostOfShort: number;
  /** Whether a word may consist of several: "Arbeitsvertrag". */
  readonly joins?: true;
}

const LATIN = { script: /\p{Script=Latin}/u, stem: 4 };
/** Of the languages in `glossary/`. */
const ENDINGS: Readonly<Record<string, Endings>> = {
  german: { ...LATIN, most: 4, mostOfShort: 1, joins: true },
  french: { ...LATIN, most: 5, mostOfShort: 2 },
  spanish: { ...LATIN, most: 5, mostOfShort: 2 },
  portuguese: { ...LATIN, most: 5, mostOfShort: 2 },
  italian: { ...LATIN, most: 5, mostOfShort: 2 },
  turkish: { ...LATIN, most: 9, mostOfShort: 4 },
  russian: { script: /\p{Script=Cyrillic}/u, most: 4, stem: 4, mostOfShort: 2 },
  korean: { script: /\p{Script=Hangul}/u, most: 5, stem: 2, mostOfShort: 1, joins: true },
  arabic: { script: /\p{Script=Arabic}/u, most: 3, stem: 3, mostOfShort: 1 },
  hindi: { script: /\p{Script=Devanagari}/u, most: 4, stem: 3, mostOfShort: 2 },
};
/** A stem of so many letters may have an ending as long as itself: "vulnerab|ilidades". */
const LONG_STEM = 6;

type Glossary = ReadonlyMap<string, readonly string[]>;
const glossaries = new Map<string, Glossary>();

/** A line of a glossary is English words, with commas, and the beginnings of words that mean them. Without its file it is empty. */
function glossaryOf(language: string): Glossary {
  const known = glossaries.get(language);
  if (known) return known;
  const glossary = new Map<string, readonly string[]>();
  for (const line of readGlossary(language).trim().split("\n")) {
    const [meanings = "", ...stems] = line.split(" ");
    for (const stem of stems.map((written) => foldWord(written, language)))
      glossary.set(stem, [...new Set([...(glossary.get(stem) ?? []), ...meanings.split(",")])]);
  }
  glossaries.set(language, glossary);
  return glossary;
}

function readGlossary(language: string): string {
  const here: string | undefined = import.meta.url;
  const folder = here?.endsWith(".ts") ? "../glossary" : "./glossary";
  try {
    return here ? readFileSync(new URL(`${folder}/${language}.txt`, here), "utf8") : "";
  } catch {
    // A host that bundles the library leaves the files out; then nothing is translated.
    return "";
  }
}

/** Endings are left to the glossary, but an Arabic word may begin with its article. */
function foldWord(word: string, language: string): string {
  const folded = foldLetters(word.normalize("NFKC"));
  return language === "arabic" ? withoutAffixes(folded) : folded;
}

/** The English words for a folded word: those of the longest beginning that the glossary has, and, of a joined word, of the rest. */
function meaningsOf(word: string, language: string, depth = 0): readonly string[] {
  const { most, stem, mostOfShort, joins } = ENDINGS[language] as Endings;
  const glossary = glossaryOf(language);
  for (let size = Math.min(word.length, LONGEST_STEM); size > 0; size--) {
    const meanings = glossary.get(word.slice(0, size));
    if (!meanings) continue;
    const rest = word.slice(size);
    const longest = size >= LONG_STEM ? Math.max(most, size) : size >= stem ? most : mostOfShort;
    if (rest.length <= longest) return meanings;
    if (!joins || depth === MOST_JOINED) return [];
    const others = [rest, rest.replace(LINK, "")].map((part) => meaningsOf(part, language, depth + 1));
    const other = others.find(({ length }) => length > 0);
    return other ? [...meanings, ...other] : [];
  }
  return [];
}

const LONGEST_STEM = 20;
const MOST_JOINED = 2;
/** What links the parts of a German word. */
const LINK = /^(?:es|en|er|s|n|e)/;
const WORDS = /[\p{L}\p{M}]+/gu;

/** A request in English words, and which word each of them stands for. */
export interface Translation {
  readonly text: string;
  readonly typed: ReadonlyMap<string, string>;
}

/**
 * A request in another language, word by word, by small glossaries of the words that skills use; `undefined` if they have none of
 * its words. Words that they lack stay, so that what is not understood counts as not found.
 */
export function translate(text: string): Translation | undefined {
  const words = [...text.matchAll(WORDS)].map(([word]) => word);
  const language = languageOf(text, words);
  if (language === undefined) return;
  const typed = new Map<string, string>();
  const translated = text.replace(WORDS, (word) => {
    if (tokenize(word).every(isFunctionWord)) return "";
    const meanings = meaningsOf(foldWord(word, language), language);
    for (const meaning of meanings) if (!typed.has(meaning)) typed.set(meaning, word);
    return meanings.length > 0 ? meanings.join(" ") : word;
  });
  return typed.size > 0 ? { text: translated, typed } : undefined;
}

/** The first words tell the language. */
const TELLING = 64;

/** Of the languages in the text's script, the one of whose function words and glossary it has most. */
function languageOf(text: string, words: readonly string[]): string | undefined {
  const beginning = words.slice(0, TELLING);
  const counts = functionWordsIn(beginning.join(" "));
  const written = Object.keys(ENDINGS).filter((language) => ENDINGS[language]?.script.test(text));
  const likely = written.filter((language) => counts.has(language));
  const [best] = (likely.length > 0 ? likely : written)
    .map((language) => {
      const isKnown = (word: string): boolean => meaningsOf(foldWord(word, language), language).length > 0;
      return { language, count: 2 * (counts.get(language) ?? 0) + beginning.filter(isKnown).length };
    })
    .sort((a, b) => b.count - a.count);
  return best?.language;
}
