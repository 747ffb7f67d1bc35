import {
  contentWords,
  type Evaluation,
  type FoundSkill,
  type Proposals,
  type SkillReport,
  type TriggerFault,
  type TriggerOutcome,
} from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { painter, terminalWidth } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

/** What `knack eval` found out. */
export interface EvaluationReport {
  readonly evaluation: Evaluation;
  /** Worst first. */
  readonly skills: readonly SkillReport[];
  readonly proposals: Proposals;
  readonly faults: readonly TriggerFault[];
}

/** The lines for a person: the skills that have problems, then each problem, then what would help. */
export function tellEvaluation(report: EvaluationReport, cwd: string, options: GlobalOptions): string[] {
  const { evaluation, skills, proposals, faults } = report;
  return [
    ...scores(skills, evaluation.k, options),
    ...evaluation.cases
      .filter(({ ok }) => !ok)
      .flatMap((outcome) => tellOutcome(outcome, evaluation.k, cwd, options)),
    ...faults.map((fault) => tellFault(fault, cwd, options)),
    ...tellProposals(proposals, options),
  ];
}

export function summary({ evaluation, faults }: EvaluationReport): string {
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
export function ofPositives(fraction: number, { positives }: { readonly positives: number }): string {
  return positives > 0 ? percent(fraction) : "-";
}

export function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(2))}%`;
}

function hasProblem({ lost, false_triggers }: SkillReport): boolean {
  return lost.length > 0 || false_triggers > 0;
}

/** "changelog 2, deploy": what took the prompts of a skill. */
export function takers({ lost }: SkillReport): string {
  const counts = Map.groupBy(lost, ({ to }) => to?.skill ?? "nothing");
  return [...counts]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, list]) => (list.length > 1 ? `${name} ${list.length}` : name))
    .join(", ");
}

/** "1 of 3 lost prompts": what a word does. */
export function gain({ gains }: { readonly gains: number }, lost: number): string {
  return `moves ${gains} of ${pluralize(lost, "lost prompt")} to first place and takes none from other skills`;
}

function scores(skills: readonly SkillReport[], k: number, options: GlobalOptions): string[] {
  const shown = skills.filter(hasProblem);
  if (shown.length === 0) return [];
  const columns = [
    { title: "SKILL" },
    { title: "PROMPTS", drop: 2 },
    { title: "HIT@1", drop: 5 },
    { title: `RECALL@${k}`, drop: 4 },
    { title: "FALSE TRIGGERS", drop: 3 },
    { title: "LOST TO", drop: 1 },
  ];
  const rows = shown.map((report) => [
    escapeControl(report.skill),
    String(report.positives + report.negatives),
    ofPositives(report.hit_at_1, report),
    ofPositives(report.recall_at_k, report),
    String(report.false_triggers),
    clip(escapeControl(takers(report)), 60) || "-",
  ]);
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  return [painter(options)("bold", head), ...lines, ""];
}

/** The file first, so that editors can go there; then what was found instead, and by which words. */
function tellOutcome(
  { source, should_trigger, rank, prompt, skill, path, found, taken_by }: TriggerOutcome,
  k: number,
  cwd: string,
  options: GlobalOptions,
): string[] {
  const paint = painter(options);
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
    `${paint("bold", shortPath(source, cwd))}: ${paint("yellow", what)}: ${clip(escapeControl(prompt), MAX_SHOWN)}`,
    ...lines.map((line) => paint("dim", `    ${line}`)),
  ];
}

function because({ skill, matched }: FoundSkill): string {
  const words = matched.length > 0 ? ` (${clip(telling(matched).join(", "), 100)})` : "";
  return escapeControl(`${skill}${words}`);
}

/** Without words like "the", unless there are no others. */
export function telling(matched: readonly string[]): readonly string[] {
  const words = matched.filter((word) => contentWords(word.replaceAll(/[_-]+/g, " ")).length > 0);
  return words.length > 0 ? words : matched;
}

function tellFault({ path, line, message }: TriggerFault, cwd: string, options: GlobalOptions): string {
  const paint = painter(options);
  const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
  return `${paint("bold", place)}: ${paint("red", "error")}: ${escapeControl(message)}`;
}

function tellProposals({ proposals, skipped }: Proposals, options: GlobalOptions): string[] {
  const useful = proposals.filter(({ words }) => words.length > 0);
  const more =
    skipped > 0
      ? [`${pluralize(skipped, "more skill")} with lost prompts: name their folders to get words for them.`]
      : [];
  if (useful.length === 0) return more;
  return [
    "",
    painter(options)("bold", "Words that descriptions lack:"),
    ...useful.flatMap(({ skill, lost, words }) =>
      words.map((word) => `  ${escapeControl(`${skill}: adding "${word.word}" ${gain(word, lost)}`)}`),
    ),
    ...more,
  ];
}

/** A prompt can be a page long; its beginning tells which one it is. */
const MAX_SHOWN = 200;

export function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}
