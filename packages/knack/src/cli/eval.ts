import { resolve } from "node:path";
import type { Catalog, SearchResult, SkillMetadata } from "@knack/core";
import {
  contentWords,
  type Evaluation,
  evaluateTriggers,
  type FoundSkill,
  type Proposals,
  proposeWords,
  readTriggerCases,
  reportSkills,
  type SkillReport,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
  type TriggerOutcome,
  trialSearch,
} from "@knack/core/check";
import { isInside } from "@knack/core/files";
import { openProject } from "../host/open-project.ts";
import { invalid, notFound } from "../options.ts";
import { note, Progress, paint, print, printJson } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { cut } from "../terminal/text-width.ts";
import { escapeControl, pluralize, shortPath } from "../terminal/visible.ts";
import { findingLine, skillPlace } from "./skills.ts";
import type { CommandOptions } from "./table/table.ts";

function summary(evaluation: Evaluation, faults: readonly TriggerFault[]): string {
  const { cases, k } = evaluation;
  const skills = new Set(cases.map(({ path }) => path)).size;
  return [
    `${pluralize(cases.length, "prompt")} of ${pluralize(skills, "skill")}: hit@1 ${ofPositives(evaluation.hit_at_1, evaluation)}`,
    `recall@${k} ${ofPositives(evaluation.recall_at_k, evaluation)}`,
    pluralize(evaluation.false_triggers, "false trigger"),
    ...(faults.length > 0 ? [pluralize(faults.length, "error")] : []),
  ].join(", ");
}

/** A share of no prompts says nothing. */
function ofPositives(fraction: number, { positives }: { readonly positives: number }): string {
  return positives > 0 ? percent(fraction) : "-";
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(2))}%`;
}

function takers({ lost }: SkillReport): string {
  const counts = Map.groupBy(lost, ({ to }) => to?.skill ?? "nothing");
  return [...counts]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, list]) => (list.length > 1 ? `${name} ${list.length}` : name))
    .join(", ");
}

function scores(skills: readonly SkillReport[], k: number): string[] {
  const columns: CellColumn<SkillReport>[] = [
    { title: "SKILL", cell: ({ skill }) => skill },
    { title: "PROMPTS", drop: 2, cell: ({ positives, negatives }) => String(positives + negatives) },
    { title: "HIT@1", drop: 5, cell: (report) => ofPositives(report.hit_at_1, report) },
    { title: `RECALL@${k}`, drop: 4, cell: (report) => ofPositives(report.recall_at_k, report) },
    { title: "FALSE TRIGGERS", drop: 3, cell: (report) => String(report.false_triggers) },
    { title: "LOST TO", drop: 1, cell: (report) => cut(escapeControl(takers(report)), 60) || "-" },
  ];
  const wrong = skills.filter(({ lost, false_triggers }) => lost.length > 0 || false_triggers > 0);
  const lines = tableLines(wrong, columns);
  return lines.length > 0 ? [...lines, ""] : [];
}

/** The file first, so that editors can go there; then what was found instead, and by which words. */
function tellOutcome(
  { source, should_trigger, rank, prompt, skill, path, found, taken_by }: TriggerOutcome,
  k: number,
  cwd: string,
): string[] {
  const place = rank === null ? `not in the first ${k}` : `ranked ${rank}, not first`;
  const what = should_trigger ? place : "false trigger";
  const own = found.find((one) => one.path === path);
  const [first] = found;
  const lines = should_trigger
    ? [
        `expected ${own ? because(own) : escapeControl(skill)}`,
        `found ${first ? because(first) : "nothing that fits"}${taken_by === null ? "" : ": a false trigger"}`,
      ]
    : [`expected another skill or none`, `found ${first ? because(first) : "nothing"}`];
  return [
    `${paint("bold", shortPath(source, cwd))}: ${paint("yellow", what)}: ${cut(escapeControl(prompt), MAX_SHOWN)}`,
    ...lines.map((line) => paint("dim", `    ${line}`)),
  ];
}

function because({ skill, matched }: FoundSkill): string {
  const words = matched.length > 0 ? ` (${cut(telling(matched).join(", "), 100)})` : "";
  return escapeControl(`${skill}${words}`);
}

/** Without words like "the", unless there are no others. */
function telling(matched: readonly string[]): readonly string[] {
  const words = matched.filter((word) => contentWords(word.replaceAll(/[_-]+/g, " ")).length > 0);
  return words.length > 0 ? words : matched;
}

function tellProposals({ proposals, skipped }: Proposals): string[] {
  const useful = proposals.filter(({ words }) => words.length > 0);
  const rest = `${pluralize(skipped, "more skill")} with lost prompts: name their folders to get words for them.`;
  const more = skipped > 0 ? [rest] : [];
  if (useful.length === 0) return more;
  return [
    "",
    paint("bold", "Words that descriptions lack:"),
    ...useful.flatMap(({ skill, lost, words }) =>
      words.map(({ word, gains }) => {
        const moved = `moves ${gains} of ${pluralize(lost, "lost prompt")} to first place`;
        return `  ${escapeControl(`${skill}: adding "${word}" ${moved} and takes none from other skills`)}`;
      }),
    ),
    ...more,
  ];
}

/** A prompt can be a page long; its beginning tells which one it is. */
const MAX_SHOWN = 200;

export async function evaluate(paths: readonly string[], options: CommandOptions<"eval">): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const { minHit1 = 0, minRecall = 0 } = options;
  const catalog = await openProject(options).catalog();
  const { defaultLimit, maxLimit } = catalog.config.skills.search;
  const k = options.k ?? Math.min(defaultLimit, maxLimit);
  // More than a search may give would measure something else.
  if (k > maxLimit)
    throw invalid(`--k must be a whole number from 1 to ${maxLimit} (skills.search.maxLimit), not "${k}".`);

  const cases: TriggerCase[] = [];
  const faults: TriggerFault[] = [];
  for (const skill of choose(catalog.skills, paths, cwd)) {
    const reading = await readTriggerCases(skill);
    for (const found of reading.cases) cases.push(found);
    for (const fault of reading.faults) faults.push(fault);
  }
  const search = (prompt: string, limit: number) => fitting(catalog.search(prompt, { limit }).results);
  const evaluation = evaluateTriggers(cases, search, k);
  const missed = [
    ...below(evaluation.hit_at_1, minHit1, "hit@1", "--min-hit1"),
    ...below(evaluation.recall_at_k, minRecall, `recall@${k}`, "--min-recall"),
  ];
  process.exitCode = missed.length > 0 || faults.length > 0 ? 1 : 0;

  const proposals = propose(evaluation, cases, catalog);
  // Worst first.
  const skills = reportSkills(evaluation);
  const isEmpty = cases.length === 0 && faults.length === 0;
  if (options.json) printJson({ ...evaluation, skills, ...proposals, faults });
  if (isEmpty)
    note(
      `No trigger tests found. Knack looks for them in the folder of each skill, in ${TRIGGER_FILES.join(", ")}.`,
    );
  if (options.json || isEmpty) return;
  const verdict = process.exitCode === 1 ? `${paint("red", "failed")}: ` : "";
  const failed = evaluation.cases.filter(({ ok }) => !ok);
  // The skills that have problems, then each problem, then what would help.
  const lines = [
    ...scores(skills, k),
    ...failed.flatMap((outcome) => tellOutcome(outcome, k, cwd)),
    ...faults.map((fault) => findingLine(fault, paint("red", "error"), cwd)),
    ...tellProposals(proposals),
  ];
  const head = `${verdict}${[summary(evaluation, faults), ...missed].join("; ")}`;
  print((lines.length > 0 ? [head, "", ...lines] : [head]).join("\n"));
}

/** Weaker matches do not count as found. */
function fitting(results: readonly SearchResult[]): SearchResult[] {
  return results.filter(({ fits }) => fits);
}

function propose(evaluation: Evaluation, cases: readonly TriggerCase[], catalog: Catalog): Proposals {
  const { skills, config } = catalog;
  const { maxLimit } = config.skills.search;
  const progress = new Progress((tried) => `Trying words: ${tried}`);
  const sourceOf = (skill: SkillMetadata): string => catalog.sourceOf(skill);
  try {
    return proposeWords(
      evaluation,
      cases,
      skills,
      ({ path }, description) => {
        const search = trialSearch(skills, sourceOf, maxLimit, { path, description });
        return (prompt, limit) => fitting(search.search(prompt, { limit }).results);
      },
      progress.tell,
    );
  } finally {
    progress.end();
  }
}

function choose(skills: readonly SkillMetadata[], paths: readonly string[], cwd: string): SkillMetadata[] {
  if (paths.length === 0) return [...skills];
  const chosen = paths.map((path) => {
    const { folder } = skillPlace(resolve(cwd, path));
    const inside = skills.filter(({ dir }) => isInside(dir, folder));
    if (inside.length > 0) return inside;
    throw notFound(
      `There is no usable skill in ${folder}. "knack list --all" shows inactive skills, "knack validate" shows skipped ones.`,
    );
  });
  return [...new Set(chosen.flat())];
}

function below(value: number, minimum: number, measure: string, option: string): string[] {
  return value < minimum
    ? [`${measure} is ${percent(value)}, but ${option} requires ${percent(minimum)}`]
    : [];
}
