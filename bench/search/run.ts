/**
 * The quality and speed of search, in one run with other engines:
 *
 *   npm run bench:search -- --skills <folder of skills> --prompts <prompts.jsonl>
 *
 * A line of the prompts is `{query, gold, names_skill, cjk}`, `gold` being a path below the folder. Without them only speed
 * is measured, on generated skills. `--negatives <prompts.jsonl>` are prompts that must not lead to their skill. Engines from `bench/peers` are measured where they are installed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Catalog, openCatalog, readSkill } from "@knack/core";
import { generateSkills } from "../catalog/generate.ts";
import { type Document, miniSearch, orama, plainBm25, type Search } from "./peers.ts";

interface Prompt {
  readonly query: string;
  readonly gold: string;
  readonly names_skill: boolean;
  readonly cjk: boolean;
}

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    negatives: { type: "string" },
    large: { type: "string", default: "100000" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));

function readPrompts(file: string): Prompt[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Prompt);
}

function median(times: readonly number[]): string {
  return `${(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(2)} ms`;
}

async function open(root: string, cache: string): Promise<{ catalog: Catalog; ms: number }> {
  const started = performance.now();
  const catalog = await openCatalog({
    cwd: root,
    roots: [{ path: root }],
    validation: "lenient",
    cache,
    env: {},
    home: folder,
  });
  catalog.search("first");
  return { catalog, ms: performance.now() - started };
}

async function measure(
  name: string,
  search: Search,
  prompts: readonly Prompt[],
  gold: (prompt: Prompt) => number,
): Promise<void> {
  const times: number[] = [];
  const score = { all: { n: 0, first: 0, ten: 0 }, cjk: { n: 0, first: 0, ten: 0 } };
  for (const prompt of prompts) {
    const started = performance.now();
    const found = await search(prompt.query, 10);
    times.push(performance.now() - started);
    const rank = found.indexOf(gold(prompt));
    for (const tally of prompt.cjk ? [score.all, score.cjk] : [score.all]) {
      tally.n++;
      if (rank === 0) tally.first++;
      if (rank >= 0) tally.ten++;
    }
  }
  const share = ({ n, first, ten }: typeof score.all): string =>
    `${((100 * first) / n).toFixed(1)} / ${((100 * ten) / n).toFixed(1)}`;
  console.log(
    `  ${name.padEnd(12)} hit@1 / recall@10 ${share(score.all)}, CJK ${share(score.cjk)}; median ${median(times)}, longest ${Math.max(...times).toFixed(0)} ms`,
  );
}

try {
  if (values.skills && values.prompts) {
    const root = resolve(values.skills);
    const cache = join(folder, "cache");
    const first = await open(root, cache);
    const second = await open(root, cache);
    const files = readdirSync(join(cache, "search")).map(
      (file) => statSync(join(cache, "search", file)).size,
    );
    console.log(
      `${first.catalog.skills.length} skills: index made in ${first.ms.toFixed(0)} ms, ${(Math.max(...files) / 1e6).toFixed(1)} MB, opened again in ${second.ms.toFixed(0)} ms`,
    );
    const { skills } = second.catalog;
    const numbers = new Map(skills.map(({ path }, i) => [relative(root, path), i]));
    const prompts = readPrompts(values.prompts);
    const unnamed = prompts.filter(({ names_skill }) => !names_skill);
    const gold = (prompt: Prompt): number => numbers.get(prompt.gold) ?? -1;
    const byPath = new Map(skills.map(({ path }, i) => [path, i]));
    console.log(`${unnamed.length} prompts that do not name their skill`);
    const knack: Search = (query, limit) =>
      second.catalog.search(query, { limit }).results.map(({ skill }) => byPath.get(skill.path) ?? -1);
    await measure("knack", knack, unnamed, gold);
    const all: Search = (query, limit) =>
      second.catalog
        .search(query, { limit, all: true })
        .results.map(({ skill }) => byPath.get(skill.path) ?? -1);
    await measure("knack --all", all, unnamed, gold);
    if (values.negatives) {
      const negatives = readPrompts(values.negatives);
      const isShown = async (search: Search, prompt: Prompt): Promise<boolean> =>
        (await search(prompt.query, 10)).includes(gold(prompt));
      for (const [name, list] of [
        ["prompts", unnamed],
        ["CJK prompts", unnamed.filter(({ cjk }) => cjk)],
        ["negatives", negatives],
      ] as const) {
        let shown = 0;
        let fitting = 0;
        for (const prompt of list) {
          if (await isShown(all, prompt)) shown++;
          if (await isShown(knack, prompt)) fitting++;
        }
        console.log(
          `  ${name}: the skill is near for ${shown} of ${list.length} and fits for ${fitting}; ${((100 * (shown - fitting)) / shown).toFixed(1)} % lost, not shown for ${((100 * (list.length - fitting)) / list.length).toFixed(1)} %`,
        );
      }
    }
    const documents: Document[] = [];
    for (const [id, skill] of skills.entries()) {
      documents.push({
        id,
        name: skill.name,
        description: skill.description,
        body: (await readSkill(skill)).body,
      });
    }
    await measure("plain BM25", plainBm25(documents), unnamed, gold);
    for (const [name, make] of Object.entries({ MiniSearch: miniSearch, Orama: orama })) {
      try {
        await measure(name, await make(documents), unnamed, gold);
      } catch (error) {
        console.log(
          `  ${name}: not measured (${error instanceof Error ? error.message.split("\n")[0] : error})`,
        );
      }
    }
  }

  const large = join(folder, "large");
  generateSkills(large, Number(values.large));
  const { catalog, ms } = await open(large, join(folder, "large-cache"));
  const queries = Array.from(
    { length: 200 },
    (_, i) => `work item ${i * 37}: say what you will do about the request`,
  );
  const times = queries.map((query) => {
    const started = performance.now();
    catalog.search(query);
    return performance.now() - started;
  });
  console.log(
    `${values.large} generated skills: index made in ${ms.toFixed(0)} ms, median ${median(times)}, longest ${Math.max(...times).toFixed(0)} ms, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
