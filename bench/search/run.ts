/**
 * The quality and speed of search, in one run with other engines. First what `train.ts` reports: quality on prompts that the
 * weights were not learnt from, among all skills and in small catalogs. Then what `seen.ts` reports: what a model sees over MCP. Then:
 *
 *   npm run bench:search -- --skills <folder of skills> --prompts <prompts.jsonl> [--negatives <prompts.jsonl>]
 *                           [--large 100000] [--large-folder <folder>] [--sample 8] [--rounds 3]
 *
 * A line of the prompts is `{query, gold, names_skill, cjk}`; `gold` is a path below the folder. Prompts that name their skill
 * are skipped. `--negatives` are prompts that must not lead to their skill. Engines from `bench/peers` are measured if installed.
 *
 * Measured with the folder's skills and with `--large` skills (`variants.ts` creates them in `--large-folder`, where they stay,
 * or in a temporary folder): the time to build the index and to open it again, its size on disk, the time of a query, memory.
 * (`--large 0`: not at all.) Then long and strange queries, and a thousand generated ones. Each measurement is its own process (`measure.ts`). All queries
 * are repeated `--rounds` times and the fastest time of each counts, so that other processes on the machine do not matter;
 * median, 99th percentile and maximum are over these. Memory is measured after a garbage collection, before the first query:
 * heap and buffers together, then the resident set, then its peak.
 *
 * Engines are compared with prompts that are asked once. Orama takes half a second per prompt, so it gets every eighth one
 * (`--sample`), and Knack's figures for the same prompts are shown beside it. At the end one table has what each index costs, with
 * `knack search` as a new process (`costs.ts`).
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openSkills } from "./corpus.ts";
import { type Costs, costTable, makeHome, timeProcess } from "./costs.ts";
import type { Measured, Task } from "./measure.ts";
import { ORIGINALS, writeVariants } from "./variants.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    negatives: { type: "string" },
    large: { type: "string", default: "100000" },
    "large-folder": { type: "string" },
    sample: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
  },
});
if (!values.skills || !values.prompts) {
  console.error("Give a folder of skills and a file of prompts: --skills <folder> --prompts <prompts.jsonl>");
  process.exit(2);
}
const root = resolve(values.skills);
const prompts = resolve(values.prompts);
const rounds = Number(values.rounds);
/** As many skills as people have. */
const FEW = 50;
const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));

function measure(task: Omit<Task, "home" | "prompts"> & { prompts?: string }): Measured {
  const output = execFileSync(
    process.execPath,
    [
      "--expose-gc",
      "--max-old-space-size=8192",
      join(import.meta.dirname, "measure.ts"),
      JSON.stringify({ prompts, ...task, home: folder } satisfies Task),
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 },
  );
  return JSON.parse(output) as Measured;
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const memory = ({ memory: { heap, buffers, rss, peak } }: Measured): string =>
  `${mb(heap + buffers)} (resident ${mb(rss)}, at most ${mb(peak)})`;
const times = ({ median, p99, longest }: Measured): string =>
  `median ${ms(median)}, p99 ${ms(p99)}, longest ${ms(longest)}`;
const shares = ({ quality }: Measured): string =>
  quality
    .map(({ n, first, ten }) => `${((100 * first) / n).toFixed(1)} / ${((100 * ten) / n).toFixed(1)}`)
    .join(", CJK ");
const quality = (name: string, measured: Measured): string =>
  `  ${name.padEnd(22)} hit@1 / recall@10 ${shares(measured)}; ${times(measured)}`;

/** Rows of the table at the end. */
const costs: Costs[] = [];

/** Knack alone at one size. */
function knack(at: { root: string; below?: string }, cache: string): void {
  const first = measure({ engine: "knack", ...at, cache });
  const sizes = readdirSync(join(cache, "search")).map((file) => statSync(join(cache, "search", file)).size);
  const bare = measure({ engine: "catalog", ...at, cache });
  const again = measure({ engine: "knack", ...at, cache, ask: "prompts", rounds });
  const strange = measure({ engine: "knack", ...at, cache, ask: "strange", rounds });
  costs.push({
    name: "knack",
    skills: first.skills,
    made: first.index,
    stored: Math.max(...sizes),
    peak: first.memory.peak,
    process: timeProcess(makeHome(join(cache, "home"), at.root)),
    asked: again,
    strange,
  });
  console.log(`\n${first.skills} skills`);
  console.log(
    `  index made in ${ms(first.index)}, ${mb(Math.max(...sizes))} on disk, memory ${memory(first)}`,
  );
  console.log(`  opened again in ${ms(again.index)} after the catalog's ${ms(again.open)}, ${memory(again)}`);
  console.log(`  the catalog without a search: ${memory(bare)}`);
  console.log(`  ${again.asked} prompts: ${times(again)}`);
  console.log(`  ${strange.asked} strange queries: ${times(strange)} ("${strange.longestQuery}")`);
}

/** How often the skill of a prompt is in the top ten, and how often it still is if only relevant ones are shown. */
function showDecision(name: string, near: Measured, fitting: Measured): void {
  for (const [i, label] of [name, `${name}, CJK`].entries()) {
    const { n = 0, ten: shown = 0 } = near.quality[i] ?? {};
    const fits = fitting.quality[i]?.ten ?? 0;
    if (n === 0) continue;
    const lost = ((100 * (shown - fits)) / shown).toFixed(1);
    const out = ((100 * (n - fits)) / n).toFixed(1);
    console.log(
      `  ${label.padEnd(22)} the skill is near for ${shown} of ${n} and fits for ${fits}: ${lost} % lost, ${out} % out`,
    );
  }
}

try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores; of ${rounds} rounds the fastest time of each query`,
  );
  const learn = [join(import.meta.dirname, "train.ts"), "--skills", root, "--prompts", prompts];
  execFileSync(process.execPath, ["--conditions=knack-source", ...learn], { stdio: "inherit" });
  const seen = [join(import.meta.dirname, "seen.ts"), "--skills", root, "--prompts", prompts];
  execFileSync(process.execPath, seen, { stdio: "inherit" });
  const cache = join(folder, "cache");
  knack({ root }, cache);

  const own = measure({ engine: "knack", root, cache, ask: "prompts" });
  console.log(
    `\n${own.asked} prompts that do not name their skill, among ${own.skills} skills, each asked once`,
  );
  const near = measure({ engine: "knack", root, cache, ask: "prompts", all: true });
  console.log(quality("knack, what fits", own));
  console.log(quality("knack, with the rest", near));
  showDecision("prompts", near, own);
  if (values.negatives) {
    const task = {
      engine: "knack",
      root,
      cache,
      ask: "prompts",
      prompts: resolve(values.negatives),
    } as const;
    showDecision(
      "negatives",
      measure({ ...task, named: true, all: true }),
      measure({ ...task, named: true }),
    );
  }
  const hasPeers = existsSync(join(import.meta.dirname, "..", "peers", "node_modules", "minisearch"));
  for (const engine of hasPeers
    ? (["plain BM25", "MiniSearch", "Orama"] as const)
    : (["plain BM25"] as const)) {
    const every = engine === "Orama" ? Number(values.sample) : 1;
    const peer = measure({ engine, root, ask: "prompts", every });
    const same = every === 1 ? own : measure({ engine: "knack", root, cache, ask: "prompts", every });
    const { skills, index: made, stored, memory: held } = peer;
    costs.push({ name: engine, skills, made, stored, peak: held.peak, asked: peer });
    console.log(quality(every === 1 ? engine : `${engine}, ${peer.asked} prompts`, peer));
    console.log(
      `  ${"".padEnd(22)} ${(peer.median / same.median).toFixed(0)} x knack's time; index made in ${ms(peer.index)}, memory ${memory(peer)}`,
    );
    if (every !== 1) console.log(quality(`knack, the same ${same.asked}`, same));
  }

  const large = resolve(values["large-folder"] ?? join(folder, "large"));
  if (!existsSync(large) && values.large !== "0") {
    const catalog = await openSkills(root);
    await writeVariants(catalog, root, large, Number(values.large));
  }
  if (values.large !== "0") knack({ root: large, below: ORIGINALS }, join(folder, "large-cache"));
  const files = globSync("**/SKILL.md", { cwd: root }).map((path) => join(root, path));
  const few = files.filter((_, i) => i % Math.ceil(files.length / FEW) === 0);
  const small = makeHome(join(folder, "small"), few);
  console.log(`\n${costTable(costs)}`);
  console.log(
    `knack search in a new process with ${few.length} skills: ${ms(timeProcess(small))}; node -e 0: ${ms(timeProcess(small, true))}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
