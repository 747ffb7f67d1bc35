import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { SkillError, type SkillMetadata } from "@knack/core";
import {
  type Evaluation,
  evaluateTriggers,
  isInside,
  quote,
  readTriggerCases,
  scoreOutcomes,
  shorten,
  TRIGGER_FILES,
  type TriggerCase,
  type TriggerFault,
  type TriggerScore,
} from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface EvalOptions extends GlobalOptions {
  readonly minHit1?: string;
  readonly minRecall?: string;
  readonly k?: string;
}

export async function evaluate(paths: readonly string[], options: EvalOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const minHit1 = readFraction("--min-hit1", options.minHit1);
  const minRecall = readFraction("--min-recall", options.minRecall);
  const catalog = await openProject(options).catalog();
  const k = readK(options.k, catalog.config.skills.search);

  const cases: TriggerCase[] = [];
  const faults: TriggerFault[] = [];
  for (const skill of choose(catalog.skills, paths, cwd)) {
    const reading = await readTriggerCases(skill);
    for (const found of reading.cases) cases.push(found);
    for (const fault of reading.faults) faults.push(fault);
  }
  const search = (prompt: string, limit: number) =>
    catalog.search(prompt, { limit }).results.filter(({ fits }) => fits);
  const evaluation = evaluateTriggers(cases, search, k);
  const missed = [
    ...below(evaluation.hit_at_1, minHit1, "hit@1", "--min-hit1"),
    ...below(evaluation.recall_at_k, minRecall, `recall@${k}`, "--min-recall"),
  ];
  process.exitCode = missed.length > 0 || faults.length > 0 ? 1 : 0;

  if (options.json) printJson({ ...evaluation, faults });
  else print([...scores(evaluation, options), ...findings(evaluation, faults, cwd, options)].join("\n"));
  if (cases.length === 0 && faults.length === 0)
    note(
      `No trigger tests found. Knack looks for them in the folder of each skill, in ${TRIGGER_FILES.join(", ")}.`,
    );
  else if (!options.json) summarize(evaluation, faults, missed, options);
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

function scores({ cases, k }: Evaluation, options: GlobalOptions): string[] {
  if (cases.length === 0) return [];
  const columns = ["SKILL", "PROMPTS", "HIT@1", `RECALL@${k}`, "FALSE TRIGGERS"].map((title) => ({ title }));
  const rows = [...Map.groupBy(cases, ({ path }) => path).values()].map((outcomes) => {
    const score = scoreOutcomes(outcomes);
    return [
      escapeControl(outcomes[0]?.skill ?? ""),
      String(outcomes.length),
      ofPositives(score.hit_at_1, score),
      ofPositives(score.recall_at_k, score),
      score.negatives > 0 ? String(score.false_triggers) : "-",
    ];
  });
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  return [painter(options)("bold", head), ...lines];
}

/** What failed and what could not be read: the file first, so that editors can go there. */
function findings(
  { cases, k }: Evaluation,
  faults: readonly TriggerFault[],
  cwd: string,
  options: GlobalOptions,
): string[] {
  const paint = painter(options);
  const failed = cases
    .filter(({ ok }) => !ok)
    .map(({ source, should_trigger, rank, prompt }) => {
      const place = rank === null ? `not in the first ${k}` : `ranked ${rank}, not first`;
      const what = should_trigger ? place : "false trigger";
      return `${paint("bold", shortPath(source, cwd))}: ${paint("yellow", what)}: ${clip(escapeControl(prompt))}`;
    });
  const unread = faults.map(({ path, line, message }) => {
    const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
    return `${paint("bold", place)}: ${paint("red", "error")}: ${escapeControl(message)}`;
  });
  return [...failed, ...unread];
}

function summarize(
  evaluation: Evaluation,
  faults: readonly TriggerFault[],
  missed: readonly string[],
  options: GlobalOptions,
): void {
  const { cases, hit_at_1, recall_at_k, false_triggers, k } = evaluation;
  // Without a minimum there is nothing to pass, so only a failure has a name.
  const isBad = missed.length > 0 || faults.length > 0;
  const verdict = isBad ? `${painter(options, 2)("red", "failed")}: ` : "";
  const skills = new Set(cases.map(({ path }) => path)).size;
  const parts = [
    `${pluralize(cases.length, "prompt")} of ${pluralize(skills, "skill")}`,
    `hit@1 ${ofPositives(hit_at_1, evaluation)}`,
    `recall@${k} ${ofPositives(recall_at_k, evaluation)}`,
    pluralize(false_triggers, "false trigger"),
    ...(faults.length > 0 ? [pluralize(faults.length, "error")] : []),
  ];
  note([`${verdict}${parts.join(", ")}`, ...missed].join("; "));
}

/** A part of nothing is no number that a person should read. */
function ofPositives(fraction: number, { positives }: TriggerScore): string {
  return positives > 0 ? percent(fraction) : "-";
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(2))}%`;
}

/** A prompt can be a page long; its beginning tells which one it is. */
const MAX_SHOWN = 200;

function clip(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN - 1).join("")}…` : text;
}
