import type { FoundSkill, SkillReport, TriggerOutcome } from "@knack/core/internal";
import { escapeControl } from "../../terminal/visible.ts";
import {
  clip,
  type EvaluationReport,
  gain,
  ofPositives,
  summary,
  takers,
  telling,
} from "./tell-evaluation.ts";

/** How a report begins; only a file that begins so is replaced by the next one. */
export const PAGE_BEGIN = '<!doctype html>\n<html lang="en">\n<meta name="generator" content="knack eval">\n';

const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --bad: #b42318; --good: #116329; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #1c2128; --bad: #ff9a91; --good: #7ee787; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--soft); overflow-wrap: normal; }
td.number { text-align: right; white-space: nowrap; }
.bad { color: var(--bad); } .good { color: var(--good); }
code { overflow-wrap: anywhere; }
`;

/** The report as one page: nothing is loaded from elsewhere, and nothing in it runs. */
export function evaluationPage(report: EvaluationReport): string {
  const ids = new Map(report.skills.map(({ path }, at) => [path, anchor(report.skills, at)]));
  const { faults } = report;
  return `${PAGE_BEGIN}<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Trigger tests</title>
<style>${STYLE}</style>
<h1>Trigger tests</h1>
<p>${escapeHtml(summary(report))}.</p>
${faults.length > 0 ? `<h2>Errors</h2>\n<ul>${faults.map(({ path, line, message }) => `<li><code>${escapeHtml(path)}${line === undefined ? "" : `:${line}`}</code>: ${escapeHtml(message)}`).join("\n")}</ul>` : ""}
<h2>Skills, worst first</h2>
${tableOf(
  ["Skill", "Prompts", "Hit@1", `Recall@${report.evaluation.k}`, "False triggers", "Lost prompts", "Lost to"],
  report.skills.map((skill) => [
    link(skill, ids),
    number(skill.positives + skill.negatives),
    number(ofPositives(skill.hit_at_1, skill)),
    number(ofPositives(skill.recall_at_k, skill)),
    number(skill.false_triggers),
    number(skill.lost.length),
    escapeHtml(takers(skill)),
  ]),
)}
${report.skills.map((skill) => section(skill, report, ids)).join("\n")}
</html>
`;
}

function section(skill: SkillReport, report: EvaluationReport, ids: ReadonlyMap<string, string>): string {
  const own = report.evaluation.cases.filter(({ path }) => path === skill.path);
  // Wrong ones first; otherwise in the order of the files.
  const outcomes = [...own.filter(({ ok }) => !ok), ...own.filter(({ ok }) => ok)];
  const words = report.proposals.proposals.find(({ path }) => path === skill.path)?.words ?? [];
  return [
    `<h2 id="${ids.get(skill.path)}">${escapeHtml(skill.skill)}</h2>`,
    `<p><code>${escapeHtml(skill.path)}</code>`,
    ...(words.length > 0
      ? [
          "<p>Words that the description lacks:",
          `<ul>${words.map((word) => `<li><strong>${escapeHtml(word.word)}</strong> ${escapeHtml(gain(word, skill.lost.length))}`).join("\n")}</ul>`,
        ]
      : []),
    ...(outcomes.length > 0
      ? [
          tableOf(
            ["Prompt", "Expected", "Place", "Found, with the words that matched"],
            outcomes.map((outcome) => row(outcome, ids)),
          ),
        ]
      : []),
    ...(skill.took.length > 0
      ? [
          "<p>Came first for prompts that are not its own:",
          `<ul>${skill.took.map((took) => `<li>${escapeHtml(clip(took.prompt, MAX_PROMPT))} (${took.path === skill.path ? "should not trigger" : link(took, ids)})`).join("\n")}</ul>`,
        ]
      : []),
  ].join("\n");
}

function row(outcome: TriggerOutcome, ids: ReadonlyMap<string, string>): string[] {
  const { prompt, should_trigger, rank, ok, found, skill } = outcome;
  const place = rank === null ? "not found" : String(rank);
  return [
    cell(escapeHtml(clip(prompt, MAX_PROMPT))),
    cell(should_trigger ? escapeHtml(skill) : `not ${escapeHtml(skill)}`),
    `<td class="${ok ? "good" : "bad"}">${ok ? "✓" : "✗"} ${place}</td>`,
    cell(found.length === 0 ? "nothing fits" : found.map((one) => why(one, ids)).join("<br>")),
  ];
}

function why(found: FoundSkill, ids: ReadonlyMap<string, string>): string {
  const words = found.matched.length > 0 ? `: ${clip(telling(found.matched).join(", "), MAX_PROMPT)}` : "";
  return `${link(found, ids)} ${escapeHtml(`(${found.reason}, ${found.score.toFixed(2)})${words}`)}`;
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string =>
    row.map((one) => (one.startsWith("<td") ? one : cell(one))).join("");
  const head = heads.map((title) => `<th>${escapeHtml(title)}</th>`).join("");
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join("\n");
  return `<div class="table"><table>\n<tr>${head}</tr>\n${body}\n</table></div>`;
}

const cell = (html: string): string => `<td>${html}</td>`;
const number = (value: number | string): string => `<td class="number">${value}</td>`;

function link({ skill, path }: { skill: string; path: string }, ids: ReadonlyMap<string, string>): string {
  const id = ids.get(path);
  return id === undefined ? escapeHtml(skill) : `<a href="#${id}">${escapeHtml(skill)}</a>`;
}

/** The name of the skill where it is plain and the only one, so that a link to it stays right in the next report. */
function anchor(skills: readonly SkillReport[], at: number): string {
  const name = skills[at]?.skill ?? "";
  const isPlain = /^[a-z0-9-]{1,64}$/.test(name) && skills.filter(({ skill }) => skill === name).length === 1;
  return isPlain ? `skill-${name}` : `number-${at + 1}`;
}

/** A prompt can be a page long. */
const MAX_PROMPT = 500;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters and those that reorder text are written out, as on a terminal. */
function escapeHtml(text: string): string {
  return escapeControl(text.toWellFormed()).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
