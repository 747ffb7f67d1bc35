import { quote } from "@knack/core/text";
import { type Engine, entryWords, runReport, type TypedSkill } from "@knack/engine";
import { withEngine } from "../host/open-project.ts";
import { type GlobalOptions, notFound } from "../options.ts";
import { note, print, printJson, remark } from "../terminal/output.ts";
import { type CellColumn, showTable, tableLines } from "../terminal/table.ts";
import { escapeControl, pluralize, shortTime } from "../terminal/visible.ts";
import { runText } from "./run.ts";
import { reportDiagnostics } from "./skills.ts";
import type { CommandOptions } from "./table/table.ts";

type SkillRun = Awaited<ReturnType<Engine["runs"]>>[number];

const RUN_COLUMNS: readonly CellColumn<SkillRun>[] = [
  { title: "STARTED", drop: 1, cell: ({ startedAt }) => shortTime(startedAt) },
  { title: "SKILL", cell: ({ skill }) => skill },
  { title: "STATUS", drop: 3, cell: ({ status }) => status },
  { title: "ID", drop: 2, cell: ({ id }) => id },
  { title: "BY", drop: 0, cell: (run) => runReport(run).made_by ?? "" },
  { title: "RESULT", flexible: true, least: 8, cell: resultOf },
];

function resultOf({ error, artifacts, evidences }: SkillRun): string {
  if (error) return `${error.code}: ${error.message}`;
  return [...artifacts.map(({ path }) => path), ...evidences.map(({ kind }) => kind)].join(", ");
}

export async function runs(options: CommandOptions<"runs">): Promise<void> {
  const { skill, status, task, since, limit = 50 } = options;
  await withEngine(options, async (engine) => {
    const found = await engine.runs({
      limit,
      skill,
      status,
      ...taskFilter(task),
      since: since?.toISOString(),
    });
    const report = (): object => ({ runs: found.map((run) => runReport(run)), count: found.length });
    showTable(options, report, found, RUN_COLUMNS, pluralize(found.length, "run"));
  });
}

export async function showRun(id: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const run = await engine.findRun(id);
    if (!run) throw notFound(`There is no run ${quote(id)}; "knack runs" lists them.`);
    if (options.json) return printJson({ ...runReport(run), log: run.logTail });
    const log = run.logTail === "" ? [] : run.logTail.split("\n");
    print([runText(runReport(run)), ...log.map((line) => `  | ${escapeControl(line)}`)].join("\n"));
  });
}

function taskFilter(task = "") {
  const [, planId, taskId] = /^(?:([^/]*)\/)?(.*)$/s.exec(task) ?? [];
  return { planId, taskId: taskId || undefined };
}

const SKILL_COLUMNS: readonly CellColumn<TypedSkill>[] = [
  { title: "NAME", cell: ({ name }) => name },
  {
    title: "INPUTS",
    drop: 2,
    cell: ({ inputs }) =>
      inputs.map(({ role, required, many }) => `${role}${many ? "+" : required ? "" : "?"}`).join(" "),
  },
  {
    title: "MAKES",
    drop: 1,
    cell: ({ outputs: { artifacts, evidences } }) =>
      [...artifacts.map(({ name }) => name), ...evidences.map(({ kind }) => kind)].join(" "),
  },
  { title: "DESCRIPTION", flexible: true, cell: ({ description }) => description },
];

export async function registry(options: GlobalOptions): Promise<void> {
  await withEngine(options, async ({ skills, errors, warnings }, project) => {
    if (errors.length > 0) process.exitCode = 1;
    if (options.json) return printJson({ skills: skills.map(entryWords), errors, warnings });
    print(tableLines(skills, SKILL_COLUMNS).join("\n"));
    for (const line of reportDiagnostics([...errors, ...warnings], project)) note(line);
    remark(pluralize(skills.length, "typed skill"));
  });
}
