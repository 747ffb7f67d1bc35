/**
 * Learns the weights of the ranking and of the decision what fits, and reports how good they are on what they were not learnt from:
 *
 *   node --conditions=knack-source bench/search/train.ts --skills <folder> --prompts <prompts.jsonl> [--write] [--quick]
 *
 * Ranking: prompts and the skills they were written for, among all skills. Decision: the same prompts and everyday requests in
 * samples of 10 to 1,000 skills. Cross-validation has five parts, with no skill in two of them; then one collection (first folder)
 * is left out at a time. Everyday requests are tested with a file that is not used for learning. `--write` writes the weights.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FEATURES, FIT_FEATURES } from "../../packages/core/src/search/ranking/candidates.ts";
import { MIN_OF_BEST } from "../../packages/core/src/search/ranking/fit-features.ts";
import {
  Corpus,
  collectionOf,
  foldOf,
  type Prompt,
  readPrompts,
  readRequests,
  readWritten,
} from "./corpus.ts";
import { type FitExample, type FitModel, learnFit, probability } from "./learn-fit.ts";
import { learnRanking, type RankExample, sumsOf } from "./learn-ranking.ts";
import { reportCalibration, reportDecision, type Tested } from "./report.ts";
import { type Asked, drawSamples, type Found } from "./samples.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string" },
    prompts: { type: "string" },
    write: { type: "boolean" },
    quick: { type: "boolean" },
  },
});
const corpus = await Corpus.open(values.skills ?? "");
const prompts = readPrompts(values.prompts ?? "");
// Only to test: learning from them as well made neither the ranking nor the decision better (RESEARCH.md).
const written = readWritten().filter(({ gold }) => corpus.numberOf(gold) >= 0);
// Prompts that name the skill help to learn the ranking; the figures are for the others.
const unnamed = prompts.filter(({ names_skill }) => !names_skill);
const everything = corpus.searchOver(corpus.skills.map((_, i) => i));
const exampleOf = ({ query, gold }: Prompt): RankExample => {
  const { candidates, rows } = everything(query);
  return { rows, count: candidates.length, right: candidates.indexOf(corpus.numberOf(gold)), gold };
};
const examples = prompts.map(exampleOf);

/** The parts of a way to test: what is left out when the part is tested. */
interface Way {
  readonly title: string;
  readonly parts: readonly string[];
  readonly partOf: (gold: string) => string;
}
const WITH_PROMPTS = new Set(prompts.map(({ gold }) => collectionOf(gold)));
/** Collections without prompts by their authors, but with written requests, are left out together. */
const OTHERS = "others";
function authorsPart(gold: string): string {
  const collection = collectionOf(gold);
  return WITH_PROMPTS.has(collection) ? collection : OTHERS;
}
const WAYS: readonly Way[] = [
  { title: "cross-validation", parts: ["0", "1", "2", "3", "4"], partOf: (gold) => String(foldOf(gold)) },
  { title: "leave one collection out", parts: [...WITH_PROMPTS, OTHERS], partOf: authorsPart },
];
const rankings = WAYS.map(
  ({ parts, partOf }) =>
    new Map(parts.map((part) => [part, learnRanking(examples.filter(({ gold }) => partOf(gold) !== part))])),
);
const percent = (part: number, all: number): string => ((100 * part) / Math.max(1, all)).toFixed(1);

function sharesOf(
  list: readonly RankExample[],
  weightsOf: (gold: string) => Float64Array | undefined,
): string {
  const ranks = list.map(({ rows, count, right, gold }) => {
    const sums = sumsOf(rows, count, weightsOf(gold) ?? new Float64Array());
    return right < 0 ? 1e9 : sums.filter((sum) => sum > (sums[right] ?? 0)).length;
  });
  return [1, 8, 10]
    .map((limit) => percent(ranks.filter((rank) => rank < limit).length, list.length))
    .join(" / ");
}

const examplesOf = (list: readonly Prompt[]): RankExample[] =>
  list.map((prompt) => examples[prompts.indexOf(prompt)] as RankExample);
const groups = {
  "authors' prompts": examplesOf(unnamed),
  "Chinese and Japanese ones": examplesOf(unnamed.filter(({ cjk }) => cjk)),
  "in other words": written.filter(({ held }) => !held).map(exampleOf),
  "in other words, kept apart": written.filter(({ held }) => held).map(exampleOf),
};
console.log(
  `${corpus.skills.length} skills, hit@1 / recall@8 / recall@10 of requests that do not name their skill`,
);
WAYS.forEach(({ title, partOf }, way) => {
  for (const [name, list] of Object.entries(groups))
    console.log(`  ${title}, ${name}: ${sharesOf(list, (gold) => rankings[way]?.get(partOf(gold)))}`);
});
/** Everyday requests belong to no part; each is ranked by the weights of one of them. */
const weightsFor = (prompt: Prompt | undefined, i: number): Float64Array[] =>
  WAYS.map(({ parts, partOf }, way) => {
    const part = prompt ? partOf(prompt.gold) : (parts[i % parts.length] ?? "");
    return rankings[way]?.get(part) as Float64Array;
  });
const few = values.quick ? 4 : 1;
const drawn = { corpus, prompts: unnamed, weightsFor };
const learnt = drawSamples({
  ...drawn,
  requests: readRequests("train"),
  seed: 1,
  plan: [
    [10, 80 / few],
    [20, 40 / few],
    [50, 40 / few],
    [100, 24 / few],
    [200, 24 / few],
    [500, 8 / few],
    [1_000, 8 / few],
  ],
});
const asked = drawSamples({
  ...drawn,
  prompts: [...unnamed, ...written],
  requests: readRequests("test"),
  seed: 2,
  plan: [
    ...[10, 50, 200, 1_000].map((size) => [size, values.quick ? 8 : 30] as const),
    [corpus.skills.length, 1],
  ],
});

/** Own prompts weigh as much as all others in every size, everyday requests 0.6. */
function fitExamples(list: readonly Asked[], way: number): FitExample[] {
  const groups = Map.groupBy(list, ({ size, kind }) => `${size} ${kind}`);
  return list.flatMap(({ size, kind, found }): FitExample[] => {
    const { best, rank, own } = found[way] as Found;
    const share = kind === "own" ? 1 : kind === "other" ? 0.8 : 0.6;
    const weight = share / (groups.get(`${size} ${kind}`)?.length ?? 1);
    if (!best || (kind === "own" && (rank < 0 || rank > 9))) return [];
    const rows = kind === "own" && own && rank > 0 ? [best, own] : [best];
    return rows.map((row) => ({ row, isRight: kind === "own", weight }));
  });
}

const models = WAYS.map(
  ({ parts, partOf }, way) =>
    new Map(
      parts.map((part) => [
        part,
        learnFit(
          fitExamples(
            learnt.filter(({ prompt }) => !prompt || partOf(prompt.gold) !== part),
            way,
          ),
        ),
      ]),
    ),
);
WAYS.forEach(({ title, parts, partOf }, way) => {
  const tested = asked.map(({ size, kind, prompt, found }, i): Tested => {
    const part = prompt ? partOf(prompt.gold) : (parts[i % parts.length] ?? "");
    const model = models[way]?.get(part) as FitModel;
    const { best, isShortMatch, own, ofBest, rank, chance } = found[way] as Found;
    return {
      size,
      kind,
      cjk: prompt?.cjk ?? false,
      isWritten: prompt !== undefined && !prompts.includes(prompt),
      rank,
      isShortMatch,
      any: best ? probability(model, best) : 0,
      own: own && ofBest >= MIN_OF_BEST ? probability(model, own) : 0,
      chance,
    };
  });
  console.log(`\nCatalogs of random skills, ${title}`);
  reportDecision(tested);
  reportCalibration(tested);
});

if (values.write) {
  const folder = join(import.meta.dirname, "../../packages/core/src/search/ranking");
  // As the formatter writes them: quoted if the name is not an identifier.
  const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));
  const lines = (names: readonly string[], weights: Float64Array): string[] =>
    names.map((name, f) => `  ${keyOf(name)}: ${Number((weights[f] ?? 0).toFixed(4))},`);
  const { weights, offset } = learnFit(fitExamples(learnt, 0));
  const text = [
    "/** Written by bench/search/train.ts: the weight of each feature of the ranking. */",
    "export const WEIGHTS = {",
    ...lines(FEATURES, learnRanking(examples)),
    "};",
    "",
    "/** The weight of each feature of the decision what fits, and their offset. */",
    "export const FIT_WEIGHTS = {",
    ...lines(FIT_FEATURES, weights),
    "};",
    `export const OFFSET = ${offset.toFixed(4)};`,
    "",
  ];
  writeFileSync(join(folder, "weights.ts"), text.join("\n"));
}
