/**
 * A large catalog of realistic text, generated from a smaller one of real skills: the skills themselves (`v0`), then as many
 * variants of each (`v1`, `v2`, …) as needed. The same input gives the same catalog.
 *
 * In a variant each word is replaced by another of the same frequency, consistently within that variant. So word frequencies,
 * text lengths and co-occurrence stay realistic, and no variant repeats another. Words that a fifth of the skills have ("the",
 * "use") stay. Some of the words that at most two skills have become new words, so that the vocabulary grows as it grew from
 * half of the real skills to all of them (Heaps' law): 100,000 skills have more different words than 8,000.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Catalog, readSkill } from "@knack/core";

/** Parts of identifiers count as words, as in a search. */
const WORD = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{L}+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The folder of the real skills in a large catalog. */
export const ORIGINALS = "v0";

export async function writeVariants(
  catalog: Catalog,
  root: string,
  target: string,
  count: number,
): Promise<void> {
  const skills = catalog.skills.slice(0, count);
  const texts: string[] = [];
  for (const skill of skills)
    texts.push(
      `${skill.name}\n${skill.description.replaceAll(/\s+/g, " ")}\n${(await readSkill(skill)).body}`,
    );
  const { counts, half } = countWords(texts);
  const copies = Math.ceil(count / Math.max(1, skills.length));
  const maps = Array.from({ length: copies - 1 }, (_, i) =>
    wordMap(counts, skills.length, newWordShare(counts, half, count / skills.length), i + 1),
  );

  let written = 0;
  for (const { path } of skills) {
    const to = join(target, ORIGINALS, relative(root, path));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(path, to);
    written++;
  }
  const names = new Set(skills.map(({ name }) => name));
  for (const [number, text] of texts.entries()) {
    const words = text.match(WORD) ?? [];
    const lower = words.map((word) => word.toLowerCase());
    const between = text.split(WORD);
    for (const [i, map] of maps.entries()) {
      if (written === count) return;
      const all = between.map((gap, at) => {
        const word = words[at];
        return word === undefined ? gap : gap + likeIn(map.get(lower[at] ?? "") ?? word, word);
      });
      const [name = "", description = "", ...body] = splitTwice(all.join(""));
      writeSkill(
        join(target, `v${i + 1}`, String(number)),
        freshName(name, names),
        description,
        body.join(""),
      );
      written++;
    }
  }
}

function splitTwice(text: string): string[] {
  const first = text.indexOf("\n");
  const second = text.indexOf("\n", first + 1);
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

function writeSkill(folder: string, name: string, description: string, body: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, name, "SKILL.md"),
    `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}`,
  );
}

/** A valid name that no other skill has. */
function freshName(text: string, names: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 56)
    .replaceAll(/^-+|-+$/g, "");
  let name = plain || "skill";
  for (let i = 2; names.has(name); i++) name = `${plain || "skill"}-${i}`;
  names.add(name);
  return name;
}

/** In how many texts each word occurs, and how many different words every second text has in total. */
function countWords(texts: readonly string[]): { counts: Map<string, number>; half: number } {
  const counts = new Map<string, number>();
  const half = new Set<string>();
  for (const [i, text] of texts.entries()) {
    for (const word of new Set(text.match(WORD)?.map((found) => found.toLowerCase()))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (i % 2 === 0) half.add(word);
    }
  }
  return { counts, half: half.size };
}

/** The share of new words among a variant's rare words, so that `times` as many skills have `times` ** exponent the words. */
function newWordShare(counts: ReadonlyMap<string, number>, half: number, times: number): number {
  const exponent = Math.log2(counts.size / Math.max(1, half));
  const rare = counts.values().reduce((sum, having) => sum + (having <= 2 ? 1 : 0), 0);
  return Math.min(1, ((times ** exponent - 1) * counts.size) / (Math.max(1, times - 1) * Math.max(1, rare)));
}

function wordMap(
  counts: ReadonlyMap<string, number>,
  skills: number,
  share: number,
  variant: number,
): Map<string, string> {
  const random = randomNumbers(variant);
  const alike = Map.groupBy(
    [...counts.keys()].filter((word) => (counts.get(word) ?? 0) <= skills / 5).sort(),
    (word) => `${CJK.test(word)} ${Math.floor(4 * Math.log2(counts.get(word) ?? 1))}`,
  );
  const map = new Map<string, string>();
  for (const words of alike.values()) {
    const shuffled = [...words];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [shuffled[i], shuffled[j]] = [shuffled[j] as string, shuffled[i] as string];
    }
    const isRare = (counts.get(words[0] ?? "") ?? 0) <= 2;
    for (const [i, word] of words.entries()) {
      const other = shuffled[i] ?? word;
      map.set(word, isRare && random() < share ? newWord(other, variant) : other);
    }
  }
  return map;
}

/** Reversed and marked with the variant: the same letters, but not a word. */
function newWord(word: string, variant: number): string {
  const mark = CJK.test(word)
    ? String.fromCharCode(0x4e00 + variant)
    : String.fromCharCode(96 + variant, 113);
  return [...word].reverse().join("") + mark;
}

/** In the case of the word that it replaces: "Review", "REVIEW", "review". */
function likeIn(word: string, model: string): string {
  const first = model[0] ?? "";
  if (first === first.toLowerCase()) return word;
  return model.length > 1 && model === model.toUpperCase()
    ? word.toUpperCase()
    : (word[0] ?? "").toUpperCase() + word.slice(1);
}

/** mulberry32: small, fast, the same on every platform. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
