/**
 * Counts how common words are in general, for the decision whether a skill fits (docs/search.md):
 *
 *   node --conditions=knack-source bench/search/background.ts --skills <folder> --texts <folder> [--texts <folder>…]
 *
 * Writes `packages/core/src/search/text/word-table.ts`. A word is as common as in the mean of two kinds of text, skills and
 * other texts (manuals, quotations, …; Markdown, HTML, plain text and man pages, also compressed), so that both "the" and
 * "agent" count as common. Words of letters and pairs of Chinese, Japanese and Korean characters are counted apart, Chinese and
 * Japanese too. Only the most common are written; all others count as rare. The same texts give the same file.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { isPair, tokenize } from "../../packages/core/src/search/text/tokenize.ts";

const WORDS = 3_600;
const PAIRS = 1_100;
const CHARACTERS = 300;
/** Rarity is -ln(share of the passages of this many words that have it), in steps of half a unit. */
const PASSAGE = 100;
const STEP = 0.5;
const MAX_FILE = 200_000;

const { values } = parseArgs({
  options: { skills: { type: "string" }, texts: { type: "string", multiple: true, default: [] } },
});
if (!values.skills || values.texts.length === 0) {
  console.error("Give --skills <folder> and --texts <folder>.");
  process.exit(2);
}

type Kind = "words" | "chinese" | "japanese" | "chinese characters" | "japanese characters";
const KINDS: readonly Kind[] = ["words", "chinese", "japanese", "chinese characters", "japanese characters"];
interface Counted {
  passages: number;
  readonly having: Map<string, number>;
}
type Counts = Record<Kind, Counted>;
const none = (): Counted => ({ passages: 0, having: new Map() });
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  const content = path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  if (content.subarray(0, 1_000).includes(0)) return "";
  const text = content.subarray(0, MAX_FILE).toString("utf8");
  if (/\.html?$/.test(path)) return text.replaceAll(/<[^>]*>|&\w+;/g, " ");
  if (/\.\d\w*(\.gz)?$/.test(path))
    return text.replaceAll(/^[.'](\\".*|[A-Za-z]{1,2}\b)/gm, " ").replaceAll(/\\(f\(?\w|[a-z-])/g, " ");
  return text;
}

function count(folders: readonly string[]): Counts {
  const counts: Counts = {
    words: none(),
    chinese: none(),
    japanese: none(),
    "chinese characters": none(),
    "japanese characters": none(),
  };
  for (const folder of folders) {
    for (const path of filesBelow(folder)) {
      const text = readText(path);
      const all = tokenize(text);
      const pairs = all.filter(isPair);
      // Kana in more than a twentieth of the pairs: Japanese. English words in such texts are names of programs and options.
      const hasKana = pairs.filter((pair) => KANA.test(pair)).length * 20 > pairs.length;
      const kind = pairs.length * 20 < all.length ? "words" : hasKana ? "japanese" : "chinese";
      for (let from = 0; from < all.length; from += PASSAGE) {
        const words = new Set(all.slice(from, from + PASSAGE));
        if (words.size < PASSAGE / 5) continue;
        add(
          counts[kind],
          [...words].filter((word) => isPair(word) === (kind !== "words") && isWord(word)),
        );
        if (kind !== "words") add(counts[`${kind} characters`], new Set([...words].filter(isPair).join("")));
      }
    }
  }
  return counts;
}

const isWord = (word: string): boolean => !HANGUL.test(word) && (!/\d/.test(word) || isPair(word));

function add(counts: Counted, words: Iterable<string>): void {
  counts.passages++;
  for (const word of words) counts.having.set(word, (counts.having.get(word) ?? 0) + 1);
}

/** The mean share of passages with each word over several counts. */
function meanShares(counts: readonly Counted[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { passages, having } of counts) {
    for (const [word, value] of having)
      shares.set(word, (shares.get(word) ?? 0) + value / passages / counts.length);
  }
  return shares;
}

function mostCommon(shares: ReadonlyMap<string, number>, size: number): [string, number][] {
  return [...shares].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, size);
}

const sources = [count([values.skills]), count(values.texts)];
for (const kind of KINDS)
  console.log(
    kind,
    sources.map((source) => source[kind].passages),
  );
const shares = (kinds: readonly Kind[]): Map<string, number> =>
  meanShares(sources.flatMap((source) => kinds.map((kind) => source[kind])));
const table = [
  ...mostCommon(shares(["words"]), WORDS),
  ...mostCommon(shares(["chinese", "japanese"]), PAIRS),
  ...mostCommon(shares(["chinese characters", "japanese characters"]), CHARACTERS).filter(
    ([character]) => [...character].length === 1,
  ),
];
const byRarity = Map.groupBy(table, ([, share]) => Math.round(-Math.log(share) / STEP));
// A single character can be a word as well; the first mention counts.
const seen = new Set<string>();
const lines = [...byRarity]
  .sort(([a], [b]) => a - b)
  .map(([rarity, entries]) => {
    const words = entries
      .map(([word]) => word)
      .filter((word) => !seen.has(word) && seen.add(word))
      .sort();
    return `${rarity} ${words.join(" ")}`;
  });
const file = join(import.meta.dirname, "../../packages/core/src/search/text/word-table.ts");
const content = [
  "/** Written by bench/search/background.ts: common words by rarity, which is -ln(share of passages) in half units. */",
  "export const WORD_TABLE = `",
  ...lines,
  "`;",
  "",
].join("\n");
writeFileSync(file, content);
console.log(`${seen.size} words, ${Buffer.byteLength(content)} bytes`);
for (const line of lines) console.log(line.slice(0, 150));
