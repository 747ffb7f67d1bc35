import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Catalog, type SearchResult, SkillError, type SkillMetadata } from "@knack/core";
import {
  type Evaluation,
  evaluateTriggers,
  isInside,
  type Proposals,
  proposeWords,
  quote,
  readTriggerCases,
  reportSkills,
  shorten,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
  trialSearch,
} from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { Progress } from "../../terminal/progress.ts";
import { evaluationPage } from "../eval/evaluation-page.ts";
import { percent, summary, tellEvaluation } from "../eval/tell-evaluation.ts";
import { checkReplaceable, writePage } from "../eval/write-page.ts";

export interface EvalOptions extends GlobalOptions {
  readonly minHit1?: string;
  readonly minRecall?: string;
  readonly k?: string;
  readonly html?: string;
}

export async function evaluate(paths: readonly string[], options: EvalOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const minHit1 = readFraction("--min-hit1", options.minHit1);
  const minRecall = readFraction("--min-recall", options.minRecall);
  checkHtml(options, cwd);
  const catalog = await openProject(options).catalog();
  const k = readK(options.k, catalog.config.skills.search);

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
  const report = { evaluation, skills: reportSkills(evaluation), proposals, faults };
  if (options.html !== undefined) writePage(options.html, cwd, evaluationPage(report));
  if (options.json) printJson({ ...evaluation, skills: report.skills, ...proposals, faults });
  if (cases.length === 0 && faults.length === 0)
    note(
      `No trigger tests found. Knack looks for them in the folder of each skill, in ${TRIGGER_FILES.join(", ")}.`,
    );
  if (options.json || options.html === "-" || (cases.length === 0 && faults.length === 0)) return;
  const paint = painter(options);
  const verdict = process.exitCode === 1 ? `${paint("red", "failed")}: ` : "";
  const lines = tellEvaluation(report, cwd, options);
  print(
    [
      `${verdict}${[summary(report), ...missed].join("; ")}`,
      ...(lines.length > 0 ? ["", ...lines] : []),
    ].join("\n"),
  );
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

/** A number from 0 to 1, or in percent; 0 where none was given. */
function readFraction(option: string, given = "0"): number {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
  if (!(value <= 100)) {
    throw new SkillError(
      "INVALID_PARAM",
      `${option} must be a number from 0 to 1, or in percent up to 100, not ${quote(given)}.`,
    );
  }
  // 64.31 / 100 is not quite 0.6431, and a fraction that is just reached must count.
  return value > 1 ? Number((value / 100).toFixed(6)) : value;
}

/** As many results as a search gives, unless asked for others; more than it may give would measure something else. */
function readK(given: string | undefined, limits: { defaultLimit: number; maxLimit: number }): number {
  if (given === undefined) return Math.min(limits.defaultLimit, limits.maxLimit);
  const k = /^\d+$/.test(given) ? Number(given) : 0;
  if (k >= 1 && k <= limits.maxLimit) return k;
  throw new SkillError(
    "INVALID_PARAM",
    `--k must be a whole number from 1 to ${limits.maxLimit} (skills.search.maxLimit), not ${quote(given)}.`,
  );
}

function choose(skills: readonly SkillMetadata[], paths: readonly string[], cwd: string): SkillMetadata[] {
  if (paths.length === 0) return [...skills];
  const chosen = paths.map((path) => {
    const folder = folderOf(resolve(cwd, path));
    const inside = skills.filter(({ dir }) => isInside(dir, folder));
    if (inside.length > 0) return inside;
    throw new SkillError(
      "NOT_FOUND",
      `There is no usable skill in ${folder}. "knack list --all" shows inactive skills, "knack validate" shows skipped ones.`,
    );
  });
  return [...new Set(chosen.flat())];
}

function folderOf(path: string): string {
  if (!existsSync(path))
    throw new SkillError("NOT_FOUND", `${shorten(path)} does not exist; check the path.`);
  if (statSync(path).isDirectory()) return realpathSync(path);
  if (basename(path) === "SKILL.md") return realpathSync(dirname(path));
  throw new SkillError(
    "INVALID_PARAM",
    `${shorten(path)} is not a SKILL.md; name a skill's folder or its SKILL.md.`,
  );
}

function below(value: number, minimum: number, measure: string, option: string): string[] {
  return value < minimum
    ? [`${measure} is ${percent(value)}, but ${option} requires ${percent(minimum)}`]
    : [];
}

function checkHtml({ html, json }: EvalOptions, cwd: string): void {
  if (html === undefined) return;
  if (html === "") throw new SkillError("INVALID_PARAM", "--html needs a file, or - for standard output.");
  if (html === "-" && json)
    throw new SkillError(
      "INVALID_PARAM",
      "--html - and --json both print to standard output; leave one out.",
    );
  if (html !== "-") checkReplaceable(resolve(cwd, html));
}
