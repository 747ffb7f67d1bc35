/**
 * What an embedding model adds to search by words (`skills.search.embeddings`):
 *
 *   node --conditions=knack-source bench/search/embeddings.ts --skills <folder of skills> --prompts <prompts.jsonl>
 *                                  [--url <endpoint> --model <name>] [--sizes 10,50,200,2000] [--cache <folder>]
 *
 * Without `--url`: the Universal Sentence Encoder of the tests (English, 512 numbers), in a process of its own. Measured are
 * hit@1 and recall@10 by words, by vectors alone and by both, in random catalogs of each size, as in `samples.ts`, with the code
 * that search itself uses. Prompts that name their skill are skipped. `--cache` keeps the vectors for the next run.
 *
 * The ranking by words was learnt from the same prompts, so a model has to be better here than elsewhere to help.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { vectorFile } from "../../packages/core/src/catalog/cache-folder.ts";
import { Embeddings } from "../../packages/core/src/search/embeddings/embeddings.ts";
import { searchWithEmbeddings } from "../../packages/core/src/search/embeddings/search-with-embeddings.ts";
import type { SkillMetadata } from "../../packages/core/src/skill/schema.ts";
import { ModelProcess } from "../../test/search/embeddings-server.ts";
import { Corpus, type Prompt, randomNumbers, readPrompts, shuffled } from "./corpus.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    url: { type: "string" },
    model: { type: "string", default: "universal-sentence-encoder" },
    sizes: { type: "string", default: "10,50,200,2000" },
    cache: { type: "string" },
  },
});
if (!values.skills || !values.prompts) {
  console.error("Give a folder of skills and a file of prompts: --skills <folder> --prompts <prompts.jsonl>");
  process.exit(2);
}

const corpus = await Corpus.open(values.skills);
const prompts = readPrompts(values.prompts).filter(({ names_skill }) => !names_skill);
const golds = [...new Set(prompts.map(({ gold }) => corpus.numberOf(gold)))];
const folder = values.cache ? resolve(values.cache) : mkdtempSync(join(tmpdir(), "knack-embeddings-"));
const server = values.url === undefined ? await ModelProcess.start() : undefined;
const url = values.url ?? server?.url ?? "";
// The process has another port each time.
const file = vectorFile(folder, { url: values.url ?? "", model: values.model });
const embeddings = new Embeddings({ url, model: values.model }, process.env, file, {
  queryMs: 60_000,
  batchMs: 600_000,
  retryMs: 0,
});
const waiting = {
  waitMs: Number.POSITIVE_INFINITY,
  onProgress: (done: number, total: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${done} of ${total} vectors`);
  },
};

class Tally {
  count = 0;
  #first = 0;
  #ten = 0;

  add(found: readonly SkillMetadata[], gold: SkillMetadata): void {
    const rank = found.indexOf(gold);
    this.count++;
    if (rank === 0) this.#first++;
    if (rank >= 0 && rank < 10) this.#ten++;
  }

  toString(): string {
    const share = (count: number): string => ((100 * count) / this.count).toFixed(1);
    return `${share(this.#first)} / ${share(this.#ten)}`;
  }
}

/** By words, by vectors, by both; then the same for prompts in Chinese and Japanese. */
async function measure(size: number): Promise<Tally[]> {
  const random = randomNumbers(size);
  const tallies = Array.from({ length: 6 }, () => new Tally());
  const everybody = corpus.skills.map((_, i) => i);
  const isAll = size >= everybody.length;
  const times = isAll ? 1 : Math.max(5, Math.min(60, Math.round(6000 / size)));
  for (let time = 0; time < times; time++) {
    const chosen = shuffled(golds, random).slice(0, Math.max(2, Math.round(size / 20)));
    const others = shuffled(everybody, random).filter((i) => !chosen.includes(i));
    const numbers = isAll ? everybody : [...chosen, ...others].slice(0, size).sort((a, b) => a - b);
    const skills = numbers.map((number) => corpus.skills[number] as SkillMetadata);
    const search = corpus.searchOver(numbers);
    for (const prompt of prompts) {
      const gold = corpus.skills[corpus.numberOf(prompt.gold)];
      if (!gold || !skills.includes(gold)) continue;
      const found = await ask(prompt, skills, search);
      for (const [i, list] of found.entries()) tallies[(prompt.cjk ? 3 : 0) + i]?.add(list, gold);
    }
  }
  return tallies;
}

async function ask(
  { query }: Prompt,
  skills: readonly SkillMetadata[],
  search: ReturnType<Corpus["searchOver"]>,
): Promise<SkillMetadata[][]> {
  const similarity = await embeddings.compare([query], skills, waiting);
  if ("note" in similarity) throw new Error(similarity.note);
  const near = skills
    .map((skill) => ({ skill, value: similarity(skill) ?? -1 }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 10);
  const limits = { limit: 10 };
  const both = await searchWithEmbeddings(embeddings, {
    phrasings: [query],
    skills,
    limits,
    waiting,
    search: (deeper) => search.search(query, deeper),
  });
  return [search.search(query, limits).results, near, both.results].map((list) =>
    list.map(({ skill }) => skill),
  );
}

try {
  console.log(`hit@1 / recall@10 with ${values.model}`);
  for (const size of values.sizes.split(",").map(Number)) {
    const tallies = await measure(Math.min(size, corpus.skills.length));
    for (const [i, name] of ["", "Chinese and Japanese "].entries()) {
      const [words, vectors, both] = tallies.slice(3 * i);
      console.log(
        `${String(size).padStart(6)} skills, ${words?.count} ${name}prompts: words ${words}, vectors ${vectors}, both ${both}`,
      );
    }
  }
} finally {
  await server?.[Symbol.asyncDispose]();
  if (!values.cache) rmSync(folder, { recursive: true, force: true });
}
