/**
 * One measurement in its own process, so that no engine pays for the memory and the garbage of another:
 *
 *   node --expose-gc bench/search/measure.ts '<Task as JSON>'
 *
 * Prints a `Measured` as JSON. No figure includes the time to start the process and to load the code.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Catalog, openCatalog, readSkill } from "@knack/core";
import fc from "fast-check";
import { strangeQueries } from "../../test/search/strange-queries.ts";
import { type Document, engines, type Search } from "./peers.ts";

export interface Task {
  /** `catalog` opens the skills without a search: the baseline for memory. */
  readonly engine: "catalog" | "knack" | "plain BM25" | "MiniSearch" | "Orama";
  readonly root: string;
  readonly home: string;
  readonly cache?: string;
  readonly ask?: "prompts" | "strange";
  readonly prompts: string;
  /** Include the prompts that name their skill. */
  readonly named?: boolean;
  /** Count weaker matches too. */
  readonly all?: boolean;
  /** The folder below the root that the prompts refer to. */
  readonly below?: string;
  /** Only every n-th prompt. */
  readonly every?: number;
  /** How often all queries are repeated; the fastest time of each counts. */
  readonly rounds?: number;
}

export interface Measured {
  readonly skills: number;
  /** Milliseconds to open the catalog, and to build or read the index. */
  readonly open: number;
  readonly index: number;
  /** Bytes of the index as a peer stores it. */
  readonly stored?: number | undefined;
  readonly memory: {
    readonly rss: number;
    readonly heap: number;
    readonly buffers: number;
    readonly peak: number;
  };
  readonly asked: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  readonly longestQuery: string;
  readonly quality: readonly { readonly n: number; readonly first: number; readonly ten: number }[];
}

interface Query {
  readonly title: string;
  readonly text: string;
  readonly gold: number;
  readonly cjk: boolean;
}

interface Prompt {
  readonly query: string;
  readonly gold: string;
  readonly names_skill: boolean;
  readonly cjk: boolean;
}

const task = JSON.parse(process.argv[2] ?? "{}") as Task;

async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

function open(): Promise<Catalog> {
  return openCatalog({
    cwd: task.root,
    roots: [{ path: task.root }],
    validation: "lenient",
    cache: task.cache ?? false,
    env: {},
    home: task.home,
  });
}

async function documentsOf({ skills }: Catalog): Promise<Document[]> {
  const documents: Document[] = [];
  for (const [id, skill] of skills.entries()) {
    const { body } = await readSkill(skill);
    documents.push({ id, name: skill.name, description: skill.description, body });
  }
  return documents;
}

async function makeSearch(catalog: Catalog): Promise<{ value: Search; ms: number }> {
  if (task.engine === "catalog") return { value: () => [], ms: 0 };
  if (task.engine === "knack") {
    const numbers = new Map(catalog.skills.map(({ path }, i) => [path, i]));
    // The first search builds or reads the index.
    const { ms } = await timed(() => catalog.search("first"));
    return {
      value: (text, limit) =>
        catalog
          .search(text, { limit })
          .results.filter(({ fits }) => fits || task.all)
          .map(({ skill }) => numbers.get(skill.path) ?? -1),
      ms,
    };
  }
  const documents = await documentsOf(catalog);
  const make = await engines[task.engine]();
  return timed(() => make(documents));
}

function promptQueries({ skills }: Catalog): Query[] {
  const root = join(task.root, task.below ?? "");
  const numbers = new Map(skills.map(({ path }, i) => [relative(root, path), i]));
  return readFileSync(task.prompts, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Prompt)
    .filter(({ names_skill }) => task.named || !names_skill)
    .filter((_, i) => i % (task.every ?? 1) === 0)
    .map(({ query, gold, cjk }) => ({ title: query, text: query, gold: numbers.get(gold) ?? -1, cjk }));
}

/** Strange queries, and a thousand generated ones: any characters, and many words of the catalog in any order. */
function strange({ skills }: Catalog): Query[] {
  const counts = new Map<string, number>();
  for (const { description } of skills) {
    for (const word of new Set(description.toLowerCase().match(/\p{L}+/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const common = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, 500);
  const sample = { seed: 1, numRuns: 500 };
  const generated = [
    ...fc.sample(fc.string({ unit: "binary", size: "max", maxLength: 8_000 }), sample),
    ...fc
      .sample(fc.array(fc.constantFrom(...counts.keys()), { size: "max", maxLength: 1_500 }), sample)
      .map((words) => words.join(" ")),
  ];
  return [...strangeQueries(common), ...generated.map((text, i) => [`generated ${i}`, text] as const)].map(
    ([title, text]) => ({ title, text, gold: -1, cjk: false }),
  );
}

function memory(): Measured["memory"] {
  // Once is not enough for buffers whose owners were only just collected.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss, heap: heapUsed, buffers: arrayBuffers, peak: process.resourceUsage().maxRSS * 1024 };
}

const { value: catalog, ms: opened } = await timed(open);
const { value: search, ms: index } = await makeSearch(catalog);
const queries =
  task.ask === undefined ? [] : task.ask === "strange" ? strange(catalog) : promptQueries(catalog);
const held = memory();
const fastest = queries.map(() => Number.POSITIVE_INFINITY);
const quality = [
  { n: 0, first: 0, ten: 0 },
  { n: 0, first: 0, ten: 0 },
];
for (let round = 0; round < (task.rounds ?? 1); round++) {
  for (const [i, { text, gold, cjk }] of queries.entries()) {
    const { value: found, ms } = await timed(() => search(text, 10));
    fastest[i] = Math.min(fastest[i] ?? ms, ms);
    if (round > 0) continue;
    const rank = found.indexOf(gold);
    for (const tally of cjk ? quality : quality.slice(0, 1)) {
      tally.n++;
      if (rank === 0) tally.first++;
      if (rank >= 0) tally.ten++;
    }
  }
}
const sorted = fastest.toSorted((a, b) => a - b);
const longest = sorted.at(-1) ?? 0;
console.log(
  JSON.stringify({
    skills: catalog.skills.length,
    open: opened,
    index,
    stored: search.stored?.(),
    memory: held,
    asked: queries.length,
    median: sorted[sorted.length >> 1] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longest,
    longestQuery: queries[fastest.indexOf(longest)]?.title ?? "",
    quality,
  } satisfies Measured),
);
