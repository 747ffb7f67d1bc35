/**
 * What a model sees: the text of `skill_search` over MCP, from the built program:
 *
 *   npm run build && node bench/search/seen.ts --skills <folder> --prompts <prompts.jsonl> [--quick] [--sizes 10,50,200,all]
 *
 * `requests.jsonl` has requests in other words than the skills', a few vague, mistyped or double, some in other languages, each
 * with phrasings as a model would add them, and requests that no skill is for, with short and with longer phrasings. They were
 * written for this from names and descriptions. Those for the skills of five collections are `held`: they have a row of their own.
 * From each prompt that an author wrote, one with two typing mistakes and one that asks for two things are made.
 *
 * Asked in homes of 10, 50 and 200 skills, in which one in five has requests, and among all (`--quick`: fewer homes and prompts).
 * A skill is seen if the answer names it, or names its place as that of a copy; *nothing* is an answer that marks no skill as
 * fitting. A token is four bytes.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openSkills, randomNumbers, readPrompts, readRequests, shuffled, writtenLines } from "./corpus.ts";
import { makeHome } from "./costs.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    quick: { type: "boolean" },
    sizes: { type: "string", default: "10,50,200,all" },
  },
});
if (!values.skills || !values.prompts) {
  console.error("Give a folder of skills and a file of prompts: --skills <folder> --prompts <prompts.jsonl>");
  process.exit(2);
}
const root = resolve(values.skills);
const asked = new Set(values.sizes.split(","));
const PROGRAM = join(import.meta.dirname, "..", "..", "packages", "knack", "bin", "knack.js");
const folder = mkdtempSync(join(tmpdir(), "knack-bench-seen-"));

interface Request {
  /** The rows of the table that it counts in. */
  readonly rows: readonly string[];
  readonly query: string;
  /** Ways to ask: alone, and with phrasings. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
  readonly gold?: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ de: "Latin", fr: "Latin", es: "Latin", pt: "Latin" },
  ...{
    ru: "Cyrillic, Arabic, Devanagari",
    ar: "Cyrillic, Arabic, Devanagari",
    hi: "Cyrillic, Arabic, Devanagari",
  },
  ...{ zh: "Chinese, Japanese, Korean", ja: "Chinese, Japanese, Korean", ko: "Chinese, Japanese, Korean" },
};

function writtenRequests(): Request[] {
  return writtenLines().map(({ kind, query, also, short, gold, held }): Request => {
    const ways = { alone: [], phrasings: also, ...(short && { "short ones": short }) };
    if (gold === undefined) return { rows: ["fits nothing"], query, ways };
    const script = LANGUAGES[kind];
    if (script) return { rows: [`in ${script}`, "in ten other languages"], query, ways, gold };
    return { rows: ["in other words", held ? "in other words, held out" : []].flat(), query, ways, gold };
  });
}

const apartRequests = (): Request[] =>
  writtenLines("requests.apart.jsonl").map(({ query, also, gold = "" }) => ({
    rows: ["in other words, second set"],
    query,
    ways: { alone: [], phrasings: also },
    gold,
  }));

const random = randomNumbers(11);

/** Two letters exchanged in each of the two longest words. */
function mistyped(query: string): string {
  const longest = [...new Set(query.match(/\p{L}{6,}/gu))].sort((a, b) => b.length - a.length).slice(0, 2);
  return longest.reduce((text, word) => {
    const at = 1 + Math.floor(random() * (word.length - 3));
    return text.replace(word, `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
  }, query);
}

function authorsRequests(): Request[] {
  const prompts = readPrompts(values.prompts ?? "").filter(({ names_skill }) => !names_skill);
  const chosen = values.quick ? prompts.filter((_, i) => i % 4 === 0) : prompts;
  const ways = { alone: [] };
  return chosen.flatMap(({ query, gold, cjk }, i): Request[] => {
    const other = chosen[(i + 37) % chosen.length]?.query ?? "";
    const rows = ["by their authors", cjk ? "by their authors, Chinese and Japanese" : []].flat();
    return [
      { rows, query, ways, gold },
      ...(cjk ? [] : [{ rows: ["by their authors, mistyped"], query: mistyped(query), ways, gold }]),
      ...(cjk
        ? []
        : [{ rows: ["by their authors, two at once"], query: `${query} And then: ${other}`, ways, gold }]),
    ];
  });
}

interface Home {
  readonly size: number;
  readonly has: ReadonlySet<string>;
  readonly path: string;
}

/** Random skills, in turn with those that have requests. */
function* smallHomes(paths: readonly string[], golds: readonly string[]): Generator<Home> {
  for (const [size, most] of [
    [10, values.quick ? 12 : 40],
    [50, values.quick ? 6 : 20],
    [200, values.quick ? 2 : 8],
  ] as const) {
    if (!asked.has(String(size))) continue;
    const parts = shuffled(golds, random);
    const each = Math.max(2, size / 5);
    for (let turn = 0; turn < Math.min(most, parts.length / each); turn++) {
      const has = new Set(parts.slice(turn * each, (turn + 1) * each));
      while (has.size < size) has.add(paths[Math.floor(random() * paths.length)] ?? "");
      const path = join(folder, `home-${size}-${turn}`);
      makeHome(path, []);
      for (const skill of has)
        cpSync(dirname(join(root, skill)), join(path, ".agents", "skills", dirname(skill)), {
          recursive: true,
        });
      yield { size, has, path };
      rmSync(path, { recursive: true, force: true });
    }
  }
}

interface Answer {
  readonly text: string;
  readonly isNothing: boolean;
}

async function connect({ path }: Home): Promise<{ ask: typeof ask; close: () => Promise<void> }> {
  const client = new Client({ name: "bench", version: "1" });
  const env = { PATH: process.env.PATH ?? "", HOME: path };
  const project = join(path, "project");
  mkdirSync(project, { recursive: true });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, "mcp"],
      cwd: project,
      env,
      stderr: "ignore",
    }),
  );
  async function ask(query: string, also: readonly string[]): Promise<Answer> {
    for (;;) {
      const answer = await client.callTool({ name: "skill_search", arguments: { query, also } });
      const [content] = answer.content as { text: string }[];
      const text = content?.text ?? "";
      // A large index is made in a thread.
      if (!text.includes("the skills' texts are still being read"))
        return { text, isNothing: !/^- .*, fits\): /m.test(text) };
      await new Promise((passed) => setTimeout(passed, 500));
    }
  }
  return { ask, close: () => client.close() };
}

/** Whether the answer has the skill: by its name, unless a place below says which of several it is. */
function isSeen(text: string, gold: string, name: string): boolean {
  const entries = text.split(/\n(?=- )/).slice(1);
  return entries.some((entry) => {
    const [head = "", ...below] = entry.split("\n");
    if (below.some((line) => line.includes(`/${dirname(gold)}/`) || line.endsWith(`/${dirname(gold)}`)))
      return true;
    return head.startsWith(`- ${name} (`) && !below.some((line) => line.includes("SKILL.md"));
  });
}

class Tally {
  readonly #counts = new Map<string, { of: number; is: number }>();
  add(key: string, is: boolean | number): void {
    const count = this.#counts.get(key) ?? { of: 0, is: 0 };
    this.#counts.set(key, { of: count.of + 1, is: count.is + Number(is) });
  }
  mean(key: string, factor = 100): string {
    const { of, is } = this.#counts.get(key) ?? { of: 0, is: 0 };
    return of === 0 ? "" : ((factor * is) / of).toFixed(factor === 1 ? 0 : 1);
  }
  size(key: string): number {
    return this.#counts.get(key)?.of ?? 0;
  }
}

const catalog = await openSkills(root);
const nameOf = new Map(catalog.skills.map(({ path, name }) => [path.slice(root.length + 1), name]));
const paths = [...nameOf.keys()];
// Some skills are not for models.
const isForModels = new Set(
  catalog.skills
    .filter(({ disableModelInvocation }) => !disableModelInvocation)
    .map(({ path }) => path.slice(root.length + 1)),
);
const requests = [...writtenRequests(), ...apartRequests(), ...authorsRequests()].filter(
  ({ gold }) => !gold || isForModels.has(gold),
);
const everyday = readRequests("test").map(
  (query): Request => ({ rows: ["everyday"], query, ways: { alone: [] } }),
);
const golds = [...new Set(requests.flatMap(({ gold }) => gold ?? []))];
const tally = new Tally();
const sizes: number[] = [];
const names: string[] = [];

async function measure(home: Home): Promise<void> {
  if (!sizes.includes(home.size)) sizes.push(home.size);
  const { ask, close } = await connect(home);
  const elsewhere = requests.filter(
    ({ gold, rows: [row] }) => gold && row?.startsWith("by") && !home.has.has(gold),
  );
  const others = shuffled(elsewhere, random)
    .slice(0, 10)
    .map(({ query, ways }): Request => ({ rows: ["for skills elsewhere"], query, ways }));
  const nothing = shuffled([...requests.filter(({ gold }) => !gold), ...everyday], random);
  const some = home.size < 200 ? nothing.slice(0, 30) : nothing;
  for (const { rows, query, ways, gold } of [...requests, ...some, ...others]) {
    if (gold ? !home.has.has(gold) : false) continue;
    for (const [way, also] of Object.entries(ways)) {
      const { text, isNothing } = await ask(query, also);
      tally.add(`tokens ${home.size}`, Buffer.byteLength(text) / 4);
      for (const row of rows) {
        if (!names.includes(row)) names.push(row);
        tally.add(`${row} ${home.size} ${way} nothing`, isNothing);
        if (gold) tally.add(`${row} ${home.size} ${way} seen`, isSeen(text, gold, nameOf.get(gold) ?? ""));
      }
    }
  }
  await close();
}

function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  console.log(`\n${title}`);
  for (const row of [heads, ...rows]) console.log(row.join(" | "));
}

try {
  for (const home of smallHomes(paths, golds)) await measure(home);
  if (asked.has("all")) {
    const path = makeHome(join(folder, "all"), root);
    await measure({ size: paths.length, has: new Set(paths), path });
  }
  const lines = names.flatMap((name) => sizes.map((size) => ({ name, size, key: `${name} ${size}` })));
  const isFound = ({ key }: { key: string }): boolean => tally.size(`${key} alone seen`) > 0;
  table(
    "What a model sees, in %: requests for a skill that is there",
    ["requests", "skills", "asked", "seen", "with phrasings", "wrongly nothing", "with phrasings"],
    lines
      .filter(isFound)
      .map(({ name, size, key }) => [
        name,
        size,
        tally.size(`${key} alone seen`),
        ...["seen", "nothing"].flatMap((what) =>
          ["alone", "phrasings"].map((way) => tally.mean(`${key} ${way} ${what}`)),
        ),
      ]),
  );
  table(
    "Requests that no skill there is for: nothing, in %",
    ["requests", "skills", "asked", "alone", "with phrasings", "with short ones"],
    lines
      .filter((line) => !isFound(line) && tally.size(`${line.key} alone nothing`) > 0)
      .map(({ name, size, key }) => [
        name,
        size,
        tally.size(`${key} alone nothing`),
        ...["alone", "phrasings", "short ones"].map((way) => tally.mean(`${key} ${way} nothing`)),
      ]),
  );
  table(
    "Tokens of an answer, on average",
    ["skills", "tokens"],
    sizes.map((size) => [size, tally.mean(`tokens ${size}`, 1)]),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
