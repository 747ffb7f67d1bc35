import { stemmer } from "stemmer";
import { normalize } from "../../shared/fold.ts";
import { foldLetters, withoutAffixes } from "./letters.ts";

/** Languages and platforms whose sign is part of the name: "C#" is not "C". Each is one word, spelt as in `csharp`. */
const SIGNS =
  /(?<![A-Za-z0-9])([CcFf])#(?![A-Za-z0-9])|(?<![A-Za-z0-9])[Cc]\+\+(?!\+)|(?<![A-Za-z0-9])\.(?:NET|Net|net)(?![A-Za-z0-9])|(?<=[A-Za-z])\.NET(?![A-Za-z0-9])/g;

/** Spells out such names. Nearly all texts have none and are returned as they are. */
function spellOutNames(text: string): string {
  if (!text.includes("#") && !text.includes("++") && !/\.net/i.test(text)) return text;
  return text.replace(SIGNS, (name, letter?: string) =>
    letter ? `${letter.toLowerCase()}sharp ` : name.endsWith("+") ? "cpp " : " dotnet ",
  );
}

/**
 * Text → search words. Words are lower-cased and stemmed; identifiers are split (`camelCase`, `kebab-case`, `snake_case`),
 * and camel case is also kept unsplit; the rest of "'s" or "n't" is not a word; a short part is also joined to its
 * neighbour, so that "A/B" matches "AB"; "C#" and ".NET" are words. Accents and other forms of a letter do not count. Chinese, Japanese and
 * Korean, which have no spaces between words, are split into overlapping pairs of characters, Thai, Lao, Khmer and Burmese into words.
 */
export function tokenize(written: string): string[] {
  const text = spellOutNames(written);
  const words: string[] = [];
  const length = text.length;
  let at = 0;
  let before = "";
  let beforeEnd = -2;
  while (at < length) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) {
      // Text with other than ASCII takes the slow path, up to the next ASCII white space.
      let end = at + 1;
      while (end < length && text.charCodeAt(end) > 0x20) end++;
      splitUnicode(text.slice(at, end), words);
      at = end;
    } else if (isWordUnit(unit)) {
      let end = at + 1;
      let camel = false;
      for (; end < length; end++) {
        const next = text.charCodeAt(end);
        if (!isWordUnit(next)) break;
        camel ||= isUpper(next);
      }
      // A word that continues in another script, as in "naïve", is one word.
      if (end < length && text.charCodeAt(end) >= 0x80) {
        while (end < length && text.charCodeAt(end) > 0x20) end++;
        splitUnicode(text.slice(at, end), words);
      } else {
        const word = text.slice(at, end);
        addWord(word, camel, words);
        const joined = at === beforeEnd + 1 ? joinedWord(before, text[beforeEnd] ?? "", word) : undefined;
        if (joined !== undefined) words.push(joined);
        if (text.charCodeAt(end) === APOSTROPHE) end += suffixLength(text.slice(end, end + 4));
        before = word;
        beforeEnd = end;
      }
      at = end;
    } else {
      at++;
    }
  }
  return words;
}

const APOSTROPHE = 0x27;
const SUFFIX = /^'(?:s|t|re|ve|ll|d|m)(?![A-Za-z0-9])/i;

/** How many characters at the beginning are the rest of "'s" or "n't". */
function suffixLength(text: string): number {
  return SUFFIX.exec(text)?.[0].length ?? 0;
}

/** Two words with one mark between them as one word, if that is a word too: "A/B", "e-mail". */
function joinedWord(one: string, mark: string, other: string): string | undefined {
  if ((one.length > 2 && other.length > 2) || one.length + other.length > 12 || !"-/_&.".includes(mark))
    return;
  return LETTERS.test(one) && LETTERS.test(other) ? stem((one + other).toLowerCase()) : undefined;
}

const LETTERS = /^[a-z]+$/i;

const stems = new Map<string, string>();
/** Stems are cached, because words repeat; the cache is bounded, because texts are untrusted. */
const MAX_STEMS = 1 << 16;

function stem(word: string): string {
  let stemmed = stems.get(word);
  if (stemmed === undefined) {
    stemmed = stemOf(ASCII.test(word) ? word : foldLetters(word));
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, stemmed);
  }
  return stemmed;
}

const ASCII = /^[!-~]+$/;

/** The same without the cache, of a folded word: for generated words. */
export function stemOf(word: string): string {
  if (!ASCII.test(word)) return withoutAffixes(word);
  return word.length > 2 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

/** A longer run without a space is data that nobody searches for. */
const MAX_WORD = 64;

function addWord(word: string, camel: boolean, words: string[]): void {
  if (word.length > MAX_WORD) return;
  const lower = word.toLowerCase();
  if (camel && CAMEL.test(word)) {
    for (const part of word.match(PARTS) ?? []) words.push(stem(part.toLowerCase()));
    words.push(ASCII.test(lower) ? lower : foldLetters(lower));
  } else {
    words.push(stem(lower));
  }
}

const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}+/gu;
const WORDS = /([\p{L}\p{N}\p{M}]+)(?:['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?/giu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;

/** Scripts without spaces whose words Unicode's dictionaries know. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

/** What joins or stretches letters, inside a word. */
const JOINERS = /[\u00ad\u200c\u200d]/g;

function splitUnicode(text: string, words: string[]): void {
  for (const [, word = ""] of normalize(text, "NFKC").replace(JOINERS, "").matchAll(WORDS)) {
    if (UNSPACED.test(word)) {
      segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
      for (const { segment } of segmenter.segment(word)) addWord(segment, true, words);
      continue;
    }
    if (!CJK.test(word)) {
      addWord(word, true, words);
      continue;
    }
    for (const [run] of word.matchAll(RUNS)) {
      if (CJK.test(run)) addPairs(run, words);
      else addWord(run, true, words);
    }
  }
}

/** Whether a word is one or two characters of a text without spaces, so it may not be a real word. */
export function isPair(word: string): boolean {
  return CJK.test(word);
}

function addPairs(run: string, words: string[]): void {
  const characters = [...run];
  if (characters.length === 1) words.push(run);
  for (let i = 0; i + 1 < characters.length; i++) words.push(`${characters[i]}${characters[i + 1]}`);
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || isUpper(unit) || (unit >= 0x30 && unit <= 0x39);
}
