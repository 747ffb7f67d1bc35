/**
 * What other phrasings of a request (`also`) do to the quality of search:
 *
 *   npm run build && node bench/search/phrasings.ts --skills <folder of skills> --prompts <prompts.jsonl>
 *
 * `phrasings.jsonl` has English translations of the Chinese and Japanese prompts, written for this measurement from the prompts
 * alone; `prompt` is the beginning of the SHA-256 of the prompt. Measured are hit@1 and recall@10 of these prompts with and without
 * the translation, and of all prompts with the prompt of another skill as `also`, which should do no harm: among all skills and
 * in homes of 12 and 60.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openSkills } from "./corpus.ts";

const { values } = parseArgs({ options: { skills: { type: "string" }, prompts: { type: "string" } } });
if (!values.skills || !values.prompts) {
  console.error("Give a folder of skills and a file of prompts: --skills <folder> --prompts <prompts.jsonl>");
  process.exit(2);
}

interface Prompt {
  readonly query: string;
  readonly gold: string;
  readonly names_skill: boolean;
}

const readLines = <T>(file: string): T[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

const root = resolve(values.skills);
const catalog = await openSkills(root);
const paths = catalog.skills.map(({ path }) => relative(root, path));
const prompts = readLines<Prompt>(resolve(values.prompts)).filter(({ names_skill }) => !names_skill);
const translations = new Map(
  readLines<{ prompt: string; also: string }>(join(import.meta.dirname, "phrasings.jsonl")).map((line) => [
    line.prompt,
    line.also,
  ]),
);
const translationOf = ({ query }: Prompt): string | undefined =>
  translations.get(createHash("sha256").update(query).digest("hex").slice(0, 16));

/** The same numbers in every run. */
let seed = 1;
function random(below: number): number {
  seed = (seed * 48_271) % 0x7fff_ffff;
  return seed % below;
}

interface Asked {
  readonly prompt: Prompt;
  readonly also: string;
  readonly home: ReadonlySet<string> | undefined;
}

function homeOf(size: number, ...golds: readonly string[]): ReadonlySet<string> | undefined {
  if (size >= paths.length) return undefined;
  const home = new Set(golds);
  while (home.size < size) home.add(paths[random(paths.length)] ?? "");
  return home;
}

function measure(asked: readonly Asked[], withAlso: boolean): string {
  let first = 0;
  let ten = 0;
  for (const { prompt, also, home } of asked) {
    const { results } = catalog.search(prompt.query, {
      limit: 10,
      also: withAlso ? [also] : [],
      accepts: home && (({ path }) => home.has(relative(root, path))),
    });
    const rank = results.findIndex(({ skill }) => relative(root, skill.path) === prompt.gold);
    if (rank === 0) first++;
    if (rank >= 0) ten++;
  }
  const share = (count: number): string => ((100 * count) / asked.length).toFixed(1);
  return `${share(first)} / ${share(ten)}`;
}

for (const size of [paths.length, 60, 12]) {
  console.log(`\n${size} skills, hit@1 / recall@10`);
  const translated = prompts.flatMap((prompt): Asked[] => {
    const also = translationOf(prompt);
    return also === undefined ? [] : [{ prompt, also, home: homeOf(size, prompt.gold) }];
  });
  const wrong = prompts.map((prompt): Asked => {
    let other = prompt;
    while (other.gold === prompt.gold) other = prompts[random(prompts.length)] ?? prompt;
    return { prompt, also: other.query, home: homeOf(size, prompt.gold, other.gold) };
  });
  for (const [name, asked] of [
    ["an English translation", translated],
    ["the prompt of another skill", wrong],
  ] as const)
    console.log(`  ${asked.length} prompts: ${measure(asked, false)}, with ${name}: ${measure(asked, true)}`);
}
