import { resolve } from "node:path";
import { type Catalog, type Entry, SkillError } from "@knack/core";
import { canonical, fewOf, quote } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import { reportSkill, type SkillReport } from "../../host/report/skill-report.ts";
import type { GlobalOptions } from "../../options.ts";
import { painter, print, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { reportDiagnostics } from "./report.ts";

export async function show(reference: string, options: GlobalOptions): Promise<void> {
  const catalog = await openProject(options).catalog();
  const cwd = resolve(options.cwd ?? ".");
  const entry = find(catalog, reference, cwd);
  const { report, dangling } = await reportSkill(catalog, entry);
  if (options.json) {
    printJson(report);
    return;
  }
  const { skill, status, reason } = entry;
  const { files: listed, edges, diagnostics } = report;
  const { frontmatter } = report.skill;
  const paint = painter(options);
  const rows: [string, string][] = [
    ["name", skill.name],
    ["description", skill.description],
    ["status", reason === "" ? status : `${status}: ${reason}`],
    ["scope", skill.scope],
    ["dialect", skill.dialect],
    ...(skill.client === undefined ? [] : [["client", skill.client] as [string, string]]),
    ["path", skill.path],
    ...(skill.places ?? []).slice(1).map((place): [string, string] => ["also in", place]),
    ["id", skill.id],
    ...Object.entries(frontmatter)
      .filter(([key]) => key !== "name" && key !== "description")
      .map(([key, value]): [string, string] => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  const lines = rows.map(
    ([key, value]) => `${paint("bold", escapeControl(key).padEnd(width))}  ${escapeControl(value)}`,
  );
  const files = listed.map((file) => `  ${shortPath(file, skill.dir)}`);
  const section = (title: string, body: string[]): string[] =>
    body.length > 0 ? ["", paint("bold", title), ...body] : [];
  print(
    [
      ...lines,
      ...section("files", files),
      ...section("edges", edges.map(edgeLine)),
      ...section(
        "dangling",
        dangling.map(({ name, line }) => `  ${escapeControl(name)} (line ${line})`),
      ),
      ...section(
        "diagnostics",
        reportDiagnostics(diagnostics, cwd, options).map((line) => `  ${line}`),
      ),
    ].join("\n"),
  );
}

function edgeLine({ from, to, type, alternative, line }: SkillReport["edges"][number]): string {
  return `  ${escapeControl(from)} ${type} ${escapeControl(to)} (line ${line}${alternative ? ", one of several" : ""})`;
}

/** Why a skill was skipped, if the reference means one that was. */
function find(catalog: Catalog, given: string, cwd: string): Entry {
  try {
    return catalog.resolveEntry(given, { includeInactive: true });
  } catch (error) {
    const isMissing = error instanceof SkillError && error.code === "NOT_FOUND";
    const why = isMissing ? leftOut(catalog, given, cwd) : undefined;
    if (why === undefined) throw error;
    throw new SkillError("NOT_FOUND", why);
  }
}

function leftOut(catalog: Catalog, reference: string, cwd: string): string | undefined {
  const path = canonical(resolve(cwd, reference));
  const errors = catalog.errors.filter(
    (error) =>
      error.path === path ||
      error.path === resolve(path, "SKILL.md") ||
      error.path.split(/[/\\]/).at(-2) === reference,
  );
  if (errors.length === 0) return undefined;
  const reasons = errors.map(
    (error) => `${error.path}${error.line === undefined ? "" : `:${error.line}`}: ${error.message}`,
  );
  return `${quote(reference)} was skipped:\n${fewOf(reasons, { separator: "\n", next: '"knack validate" lists them all' })}`;
}
