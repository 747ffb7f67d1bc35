/**
 * Requests in other languages than the skills':
 *
 *   node --conditions=knack-source bench/search/languages.ts --skills <folder> [--misses] [--sizes 50,200,all]
 *
 * `languages.jsonl` has 60 requests in ten languages for skills of five collections, and 40 that no skill is for, each with an
 * English phrasing. They were written before anything was tuned and decide nothing; the 50 of `requests.jsonl` may. Asked alone,
 * in English alone, and with the English phrasing beside, in homes of 50 and 200 skills, one in five of them asked for, and among
 * all. *Seen*: among the eight that `skill_search` shows. *Nothing*: no skill fits.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { foldCopies, LOOKED_THROUGH } from "../../packages/core/src/search/copies.ts";
import { otherPhrasings, searchRequest } from "../../packages/core/src/search/phrasings.ts";
import { SkillSearch } from "../../packages/core/src/search/search.ts";
import type { SkillMetadata } from "../../packages/core/src/skill/schema.ts";
import { Corpus, randomNumbers, shuffled, type Written, writtenLines } from "./corpus.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    sizes: { type: "string", default: "50,200,all" },
    misses: { type: "boolean" },
  },
});
if (!values.skills) {
  console.error("Give a folder of skills: --skills <folder>");
  process.exit(2);
}

const corpus = await Corpus.open(values.skills);
const everything = corpus.skills.map((_, i) => i);
const root = resolve(values.skills);
const heldOut = readFileSync(`${import.meta.dirname}/languages.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Written);
const tuned = writtenLines().filter(({ kind }) => kind.length === 2);
const random = randomNumbers(23);
const SHOWN = 8;

/** A search over some of the skills, as `skill_search` asks it: the skills shown, and how many fit. */
function searchOver(numbers: readonly number[]) {
  const skills = numbers.map((number) => corpus.skills[number] as SkillMetadata);
  const search = new SkillSearch(skills, corpus.indexOf(numbers), SHOWN * LOOKED_THROUGH);
  return (query: string, also: readonly string[]) => {
    const phrasings = [query, ...otherPhrasings(query, also)];
    const found = searchRequest(search, phrasings, { limit: SHOWN * LOOKED_THROUGH });
    return foldCopies(found, SHOWN);
  };
}

const WAYS = {
  alone: ({ query }: Written) => [query, []] as const,
  English: ({ also: [first = ""] }: Written) => [first, []] as const,
  both: ({ query, also }: Written) => [query, also] as const,
};

const counts = new Map<string, { of: number; is: number }>();
function add(key: string, is: boolean): void {
  const count = counts.get(key) ?? { of: 0, is: 0 };
  counts.set(key, { of: count.of + 1, is: count.is + Number(is) });
}
function share(key: string): string {
  const { of, is } = counts.get(key) ?? { of: 0, is: 0 };
  return of === 0 ? "-" : ((100 * is) / of).toFixed(1);
}

function ask(set: string, size: string, numbers: readonly number[], requests: readonly Written[]): void {
  const search = searchOver(numbers);
  for (const request of requests) {
    const ranks: string[] = [];
    for (const [way, of] of Object.entries(WAYS)) {
      const { results, fitting } = search(...of(request));
      const key = `${set} ${size} ${way}`;
      if (request.gold === undefined) {
        add(`${key} silent`, fitting === 0);
        if (values.misses && fitting > 0)
          console.log(
            `fits | ${size} ${way} | ${of(request)[0]} | ${results[0]?.skill.name}: ${results[0]?.matched}`,
          );
        continue;
      }
      const gold = `${root}/${request.gold}`;
      const rank = results.findIndex(({ skill, copies = [] }) =>
        [skill, ...copies].some(({ path }) => path === gold),
      );
      add(`${key} first`, rank === 0);
      add(`${key} seen`, rank >= 0);
      add(`${key} nothing`, fitting === 0);
      ranks.push(`${way} ${rank < 0 ? "-" : rank + 1}`);
    }
    if (values.misses && ranks.length > 0 && !ranks.every((rank) => rank.endsWith(" 1")))
      console.log(
        `rank | ${size} | ${request.gold} | ${request.query} | ${request.also} | ${ranks.join(", ")}`,
      );
  }
}

const asked = values.sizes.split(",");
for (const [set, requests] of Object.entries({ tuned, "held out": heldOut })) {
  const golds = [...new Set(requests.flatMap(({ gold }) => gold ?? []))].map((gold) => corpus.numberOf(gold));
  for (const size of asked) {
    if (size === "all") {
      ask(set, size, everything, requests);
      continue;
    }
    const each = Number(size) / 5;
    const inTurn = shuffled(golds, random);
    for (let from = 0; from < golds.length; from += each) {
      const home = new Set(inTurn.slice(from, from + each));
      while (home.size < Number(size)) home.add(Math.floor(random() * everything.length));
      const numbers = [...home].sort((a, b) => a - b);
      ask(
        set,
        size,
        numbers,
        requests.filter(({ gold }) => gold === undefined || home.has(corpus.numberOf(gold))),
      );
    }
  }
  console.log(`\n${set}: first / seen / wrongly nothing; nothing where nothing fits`);
  console.log(["skills", ...Object.keys(WAYS), ...Object.keys(WAYS)].join(" | "));
  for (const size of asked) {
    const keys = Object.keys(WAYS).map((way) => `${set} ${size} ${way}`);
    const found = keys.map((key) =>
      ["first", "seen", "nothing"].map((what) => share(`${key} ${what}`)).join(" / "),
    );
    console.log([size, ...found, ...keys.map((key) => share(`${key} silent`))].join(" | "));
  }
}
