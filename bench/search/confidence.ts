/**
 * How often the search is confident enough to choose a skill by itself (docs/routing.md), and how often it is right then:
 *
 *   node --conditions=knack-source bench/search/confidence.ts --skills <folder> --prompts <prompts.jsonl> --negatives <prompts.jsonl>
 *
 * Prompts as for `run.ts`. A copy of the skill with the same name counts as right. Then the same in catalogs of thirty skills,
 * with prompts for skills that are not in them, for which the search should never be confident.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Catalog, openCatalog } from "@knack/core";
import { confidentResult, LOOK_AT } from "../../packages/core/src/routing/route.ts";

interface Prompt {
  readonly query: string;
  readonly gold: string;
  readonly name: string;
  readonly names_skill: boolean;
}

const { values } = parseArgs({
  options: { skills: { type: "string" }, prompts: { type: "string" }, negatives: { type: "string" } },
});
const { skills, prompts: promptFile, negatives: negativeFile } = values;
if (!skills || !promptFile || !negativeFile) {
  console.error("Give --skills <folder>, --prompts <prompts.jsonl> and --negatives <prompts.jsonl>.");
  process.exit(2);
}
const root = resolve(skills);
const read = (file: string): Prompt[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Prompt);
const prompts = read(promptFile);
const negatives = read(negativeFile);
const open = (paths: readonly string[]): Promise<Catalog> =>
  openCatalog({ roots: paths.map((path) => ({ path })), validation: "lenient", cache: false });
const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

/** How many prompts are answered, and how many with the right skill. */
function ask(catalog: Catalog, asked: readonly Prompt[]): { sure: number; right: number } {
  const answers = asked.map(({ query, name }) => {
    const answer = confidentResult(catalog.search(query, { limit: LOOK_AT }));
    return { isSure: answer !== undefined, isRight: answer?.skill.name === name };
  });
  return {
    sure: answers.filter(({ isSure }) => isSure).length,
    right: answers.filter(({ isRight }) => isRight).length,
  };
}

const catalog = await open([root]);
const all = ask(catalog, prompts);
const unnamed = prompts.filter((prompt) => !prompt.names_skill);
const rest = ask(catalog, unnamed);
const wrong = ask(catalog, negatives).right;
console.log(`${catalog.skills.length} skills`);
console.log(`  all prompts: sure ${all.sure} of ${prompts.length}, right ${percent(all.right, all.sure)}`);
console.log(
  `  not naming the skill: sure ${rest.sure} of ${unnamed.length}, right ${percent(rest.right, rest.sure)}`,
);
console.log(`  negatives: sure of the skill that must not be ${wrong} of ${negatives.length}`);
console.log(`  with these as wrong: right ${percent(all.right, all.sure + wrong)}`);

const golds = [...new Set(unnamed.map(({ gold }) => gold))];
const small = { sure: 0, right: 0, asked: 0, foreignSure: 0, foreign: 0 };
for (let turn = 0; turn < 12; turn++) {
  // Every n-th, from another offset each time: the same choice in every run.
  const chosen = new Set(Array.from({ length: 30 }, (_, k) => golds[(turn * 7 + k * 37) % golds.length]));
  const few = await open([...chosen].map((gold) => join(root, dirname(gold ?? ""))));
  const own = unnamed.filter(({ gold }) => chosen.has(gold));
  const foreign = unnamed.filter(({ gold }, k) => !chosen.has(gold) && k % 12 === turn);
  const { sure, right } = ask(few, own);
  small.sure += sure;
  small.right += right;
  small.asked += own.length;
  small.foreignSure += ask(few, foreign).sure;
  small.foreign += foreign.length;
}
console.log("12 catalogs of 30 skills");
console.log(
  `  their prompts: sure ${small.sure} of ${small.asked}, right ${percent(small.right, small.sure)}`,
);
console.log(`  prompts for other skills: sure ${small.foreignSure} of ${small.foreign}`);
