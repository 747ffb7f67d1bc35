import { SkillError } from "@knack/core";
import { quote } from "@knack/core/text";
import { entryWords, runReport } from "@knack/engine";
import { withEngine } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl, pluralize } from "../terminal/visible.ts";
import { readCount } from "./read-count.ts";
import { printRun } from "./run.ts";
import { reportDiagnostics } from "./skills.ts";

export interface RunsOptions extends GlobalOptions {
  readonly skill?: string;
  readonly status?: "RUNNING" | "SUCCEEDED" | "FAILED";
  readonly task?: string;
  readonly since?: string;
  readonly limit?: string;
}

export async function runs(options: RunsOptions): Promise<void> {
  const limit = readCount("--limit", options.limit, 50);
  const since = options.since === undefined ? undefined : new Date(options.since);
  if (since && Number.isNaN(since.getTime()))
    throw new SkillError(
      "INVALID_PARAM",
      `--since takes a date such as 2026-01-31, not ${quote(options.since)}.`,
    );
  await withEngine(options, async (engine) => {
    const found = await engine.runs({
      limit,
      ...(options.skill ? { skill: options.skill } : {}),
      ...(options.status ? { status: options.status } : {}),
      ...(options.task ? taskFilter(options.task) : {}),
      ...(since ? { since: since.toISOString() } : {}),
    });
    if (options.json) {
      printJson({ runs: found.map((run) => runReport(run)), count: found.length });
      return;
    }
    const columns = [
      { title: "STARTED", drop: 1 },
      { title: "SKILL" },
      { title: "STATUS", drop: 3 },
      { title: "ID", drop: 2 },
      { title: "RESULT", flexible: true, least: 8 },
    ];
    const rows = found.map(({ startedAt, skill, status, id, error, artifacts, evidences }) => [
      startedAt.slice(0, 19).replace("T", " "),
      escapeControl(skill),
      status,
      id,
      escapeControl(
        error
          ? `${error.code}: ${error.message}`
          : [...artifacts.map(({ path }) => path), ...evidences.map(({ kind }) => kind)].join(", "),
      ),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    if (rows.length > 0) print([painter(options)("bold", head), ...lines].join("\n"));
    note(painter(options, 2)("dim", pluralize(rows.length, "run")));
  });
}

export async function showRun(id: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const run = await engine.findRun(id);
    if (!run) throw new SkillError("NOT_FOUND", `There is no run ${quote(id)}; "knack runs" lists them.`);
    if (options.json) printJson({ ...runReport(run), log: run.logTail });
    else {
      printRun(runReport(run), options);
      if (run.logTail !== "")
        print(
          run.logTail
            .split("\n")
            .map((line) => `  | ${escapeControl(line)}`)
            .join("\n"),
        );
    }
  });
}

function taskFilter(task: string): { planId?: string; taskId: string } {
  const at = task.indexOf("/");
  return at === -1 ? { taskId: task } : { planId: task.slice(0, at), taskId: task.slice(at + 1) };
}

/** The typed skills and their contracts; exit code 1 where an entry is wrong. */
export async function registry(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine, project) => {
    const { skills, errors, warnings } = engine;
    if (errors.length > 0) process.exitCode = 1;
    if (options.json) {
      printJson({ skills: skills.map(entryWords), errors, warnings });
      return;
    }
    const columns = [
      { title: "NAME" },
      { title: "INPUTS", drop: 2 },
      { title: "MAKES", drop: 1 },
      { title: "DESCRIPTION", flexible: true },
    ];
    const rows = skills.map(({ name, description, inputs, outputs }) => [
      escapeControl(name),
      escapeControl(
        inputs.map(({ role, required, many }) => `${role}${many ? "+" : required ? "" : "?"}`).join(" "),
      ),
      escapeControl(
        [
          ...outputs.artifacts.map((artifact) => artifact.name),
          ...outputs.evidences.map(({ kind }) => kind),
        ].join(" "),
      ),
      escapeControl(description),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    print([painter(options)("bold", head), ...lines].join("\n"));
    for (const line of reportDiagnostics([...errors, ...warnings], project, options)) note(line);
    note(painter(options, 2)("dim", pluralize(skills.length, "typed skill")));
  });
}
