/**
 * Learns the weights for reranking from prompts and the skills they were written for:
 *
 *   node --conditions=knack-source bench/search/train.ts --skills <folder> --prompts <prompts.jsonl>
 *     [--negatives <prompts.jsonl>] [--write]
 *
 * A softmax over each prompt's candidates, by gradient descent. With prompts that must not lead to their skill it also reports
 * how many of them still do, and how many skills the relevance decision loses. The figures are from five-fold cross-validation,
 * with no skill in two folds, and from leaving out one collection (first folder) at a time; the weights are from all prompts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openCatalog } from "@knack/core";
import { openSearchIndex } from "../../packages/core/src/search/make/search-index.ts";
import { FEATURES } from "../../packages/core/src/search/ranking/rank-features.ts";
import { type KnownShare, whichFit } from "../../packages/core/src/search/ranking/relevance.ts";
import { inSearchOrder, SkillSearch } from "../../packages/core/src/search/search.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    negatives: { type: "string" },
    write: { type: "boolean" },
    l2: { type: "string", default: "1" },
  },
});
const WIDTH = FEATURES.length;

interface Example {
  readonly rows: Float64Array;
  readonly known: KnownShare;
  readonly count: number;
  /** Index of the right skill among the candidates, -1 if it is not there. */
  readonly right: number;
  readonly gold: string;
  readonly names_skill: boolean;
  readonly cjk: boolean;
}

const root = resolve(values.skills ?? "");
const catalog = await openCatalog({
  cwd: root,
  roots: [{ path: root }],
  validation: "lenient",
  cache: false,
  env: {},
  home: root,
});
const skills = catalog.skills.toSorted(inSearchOrder);
const marked = skills.map((skill) => ({ skill, file: skill.path, mark: "" }));
const search = new SkillSearch(skills, openSearchIndex(marked, null), catalog.config.skills.search.maxLimit);
const paths = skills.map(({ path }) => relative(root, path));
const readExamples = (file: string): Example[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { query: string; gold: string; names_skill: boolean; cjk: boolean })
    .map(({ query, gold, names_skill, cjk }): Example => {
      const { candidates, rows, known } = search.lookClosely(query);
      return {
        rows,
        known,
        count: candidates.length,
        right: candidates.findIndex((skill) => paths[skill] === gold),
        gold,
        names_skill,
        cjk,
      };
    });

const examples = readExamples(values.prompts ?? "");
const negatives = values.negatives === undefined ? [] : readExamples(values.negatives);

function scoresOf({ rows, count }: Example, weights: Float64Array): Float64Array {
  return Float64Array.from({ length: count }, (_, c) => {
    let sum = 0;
    for (let f = 0; f < WIDTH; f++) sum += (weights[f] ?? 0) * (rows[c * WIDTH + f] ?? 0);
    return sum;
  });
}

function train(list: readonly Example[]): Float64Array {
  const mean = new Float64Array(WIDTH);
  const spread = new Float64Array(WIDTH);
  let n = 0;
  for (const { rows, count } of list) {
    n += count;
    for (let i = 0; i < count * WIDTH; i++) mean[i % WIDTH] = (mean[i % WIDTH] ?? 0) + (rows[i] ?? 0);
  }
  for (let f = 0; f < WIDTH; f++) mean[f] = (mean[f] ?? 0) / n;
  for (const { rows, count } of list) {
    for (let i = 0; i < count * WIDTH; i++)
      spread[i % WIDTH] = (spread[i % WIDTH] ?? 0) + ((rows[i] ?? 0) - (mean[i % WIDTH] ?? 0)) ** 2;
  }
  for (let f = 0; f < WIDTH; f++) spread[f] = Math.sqrt((spread[f] ?? 0) / n) || 1;

  // One prompt at a time, always in the same order, averaged over the second half: this spreads the effect of a single
  // prompt over many weights, which worked better for an unseen collection than the exact optimum.
  const scaled = new Float64Array(WIDTH);
  const average = new Float64Array(WIDTH);
  const usable = list.filter(({ right }) => right >= 0).map((example) => standardize(example, mean, spread));
  const shares = collectionShares(usable);
  const l2 = Number(values.l2);
  const random = seededRandom();
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = 0.05 / (1 + 0.2 * epoch);
    for (const example of shuffled(usable, random)) {
      const gradient = new Float64Array(WIDTH);
      const scores = scoresOf(example, scaled);
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const total = odds.reduce((sum, odd) => sum + odd, 0);
      odds.forEach((odd, c) => {
        const pull = (c === example.right ? 1 : 0) - odd / total;
        if (Math.abs(pull) < 1e-5) return;
        for (let f = 0; f < WIDTH; f++)
          gradient[f] = (gradient[f] ?? 0) + pull * (example.rows[c * WIDTH + f] ?? 0);
      });
      const share = shares.get(collectionOf(example)) ?? 1;
      for (let f = 0; f < WIDTH; f++) {
        const before = scaled[f] ?? 0;
        const next = before + rate * (share * (gradient[f] ?? 0) - l2 * before);
        scaled[f] = isAgainst(FEATURES[f] ?? "") ? Math.min(0, next) : Math.max(0, next);
      }
    }
    if (epoch >= EPOCHS / 2)
      for (let f = 0; f < WIDTH; f++) average[f] = (average[f] ?? 0) + (scaled[f] ?? 0) / (EPOCHS / 2);
  }
  return average.map((weight, f) => weight / (spread[f] ?? 1));
}

const EPOCHS = 40;

function standardize(example: Example, mean: Float64Array, spread: Float64Array): Example {
  const rows = example.rows.map((value, i) => (value - (mean[i % WIDTH] ?? 0)) / (spread[i % WIDTH] ?? 1));
  return { ...example, rows };
}

function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

const collectionOf = ({ gold }: Example): string => gold.split("/")[0] ?? "";

/** The weight of a prompt by its collection: one with four times the prompts counts twice as much; 1 on average. */
function collectionShares(list: readonly Example[]): Map<string, number> {
  const sizes = [...Map.groupBy(list, collectionOf)].map(([name, { length }]) => [name, length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + Math.sqrt(size), 0);
  return new Map(sizes.map(([name, size]) => [name, list.length / (Math.sqrt(size) * total)]));
}

/**
 * A weight keeps the sign that its feature's meaning implies. Free signs fit these prompts better and those of an unseen
 * collection much worse.
 */
function isAgainst(name: string): boolean {
  return /^(missing|rank|nameNotAsked)|\/rank$/.test(name);
}

interface Part {
  readonly weights: Float64Array;
  readonly isTested: (example: Example) => boolean;
}

interface Outcome {
  readonly rank: number;
  readonly fits: boolean;
}

function outcome(example: Example, weights: Float64Array): Outcome {
  if (example.right < 0) return { rank: Number.POSITIVE_INFINITY, fits: false };
  const scores = scoresOf(example, weights);
  const mine = scores[example.right] ?? 0;
  return {
    rank: scores.filter((score) => score > mine).length,
    fits: whichFit(example.known, example.rows, [...scores])[example.right] ?? false,
  };
}

const percent = (list: readonly Outcome[], isIt: (outcome: Outcome) => boolean): string =>
  ((100 * list.filter(isIt).length) / list.length).toFixed(1);

function report(name: string, parts: readonly Part[]): void {
  const outcomes = (list: readonly Example[]): Outcome[] =>
    parts.flatMap(({ weights, isTested }) => list.filter(isTested).map((e) => outcome(e, weights)));
  // Prompts that name the skill are used for training; the figures are for the others.
  const unnamed = examples.filter(({ names_skill }) => !names_skill);
  const line = [unnamed, unnamed.filter(({ cjk }) => cjk)].map((list) => {
    const all = outcomes(list);
    const shown = all.filter(({ rank }) => rank < 10);
    const quality = `${percent(all, ({ rank }) => rank === 0)} / ${percent(all, ({ rank }) => rank < 10)}`;
    return `${quality} (${percent(shown, ({ fits }) => !fits)} lost)`;
  });
  const out = outcomes(negatives);
  const kept =
    out.length > 0 ? `; negatives out ${percent(out, ({ rank, fits }) => !(rank < 10 && fits))}` : "";
  console.log(`${name.padEnd(28)} hit@1 / recall@10 ${line[0]}, CJK ${line[1]}${kept}`);
}

const byWords = Float64Array.from(FEATURES, (name) => (name === "score" ? 1 : 0));
report("words alone", [{ weights: byWords, isTested: () => true }]);
const fold = ({ gold }: Example): number =>
  [...gold].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 0) % 5;
const leaveOut = (isTested: (example: Example) => boolean): Part => ({
  isTested,
  weights: train(examples.filter((example) => !isTested(example))),
});
report(
  "cross-validation",
  [0, 1, 2, 3, 4].map((number) => leaveOut((example) => fold(example) === number)),
);
const collections = [...new Set(examples.map(collectionOf))];
report(
  "leave one collection out",
  collections.map((name) => leaveOut((example) => collectionOf(example) === name)),
);

const weights = train(examples);
report("all, in sample", [{ weights, isTested: () => true }]);

/** Turns a sum into a probability: fitted by gradient descent over all candidates. */
function calibrate(): { slope: number; offset: number } {
  let slope = 1;
  let offset = -4;
  for (let epoch = 0; epoch < 60; epoch++) {
    const step = 0.02 / (1 + epoch * 0.1);
    for (const example of examples) {
      scoresOf(example, weights).forEach((score, c) => {
        const error = (c === example.right ? 1 : 0) - 1 / (1 + Math.exp(-(slope * score + offset)));
        slope += step * error * score * 0.05;
        offset += step * error;
      });
    }
  }
  return { slope, offset };
}
const { slope, offset } = calibrate();
const tops = examples
  .map((example) => Math.max(...scoresOf(example, weights)) * slope + offset)
  .sort((a, b) => a - b);
const chance = (z: number): string => (1 / (1 + Math.exp(-z))).toFixed(3);
console.log(
  `first results: 5 % under ${chance(tops[Math.floor(tops.length * 0.05)] ?? 0)}, half under ${chance(tops[tops.length >> 1] ?? 0)}`,
);
if (values.write) {
  // As the formatter writes them: quoted if the name is not an identifier.
  const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));
  const lines = FEATURES.map((name, f) => `  ${keyOf(name)}: ${Number((weights[f] ?? 0).toFixed(4))},`);
  const file = join(
    import.meta.dirname,
    "..",
    "..",
    "packages",
    "core",
    "src",
    "search",
    "ranking",
    "rank-weights.ts",
  );
  writeFileSync(
    file,
    [
      'import type { Feature } from "./rank-features.ts";',
      "",
      "/** Written by bench/search/train.ts: the weight of each feature, and how their sum becomes a chance. */",
      "export const WEIGHTS: Readonly<Record<Feature, number>> = {",
      ...lines,
      "};",
      `export const CALIBRATION = { slope: ${slope.toFixed(4)}, offset: ${offset.toFixed(4)} } as const;`,
      "",
    ].join("\n"),
  );
}
