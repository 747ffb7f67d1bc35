import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Catalog, Entry, SearchResult, SearchResults } from "@knack/core";
import { denies, describeRule } from "@knack/core/config";
import { canonical } from "@knack/core/files";
import { type Diagnostic, fewOf, KnackError, quote, shorten } from "@knack/core/text";
import { countMissing, type Missing } from "../host/missing.ts";
import { openProject, withProject } from "../host/open-project.ts";
import { reportSkill, type SkillReport } from "../host/reports.ts";
import { type GlobalOptions, invalid, notFound } from "../options.ts";
import { note, paint, print, printJson, remark } from "../terminal/output.ts";
import { type CellColumn, fieldLines, section, showTable, tableLines } from "../terminal/table.ts";
import { count, escapeControl, pluralize, shortPath } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

/** What is there and was not listed: a line for each reason, with the command that says more. */
function describeMissing(missing: Missing, all: boolean | undefined): string[] {
  const { skipped, unsearched, unverified, waiting } = missing;
  const wrong = [
    ...(skipped > 0 ? [`${pluralize(skipped, "skill")} left out`] : []),
    ...(unsearched > 0 ? [`${pluralize(unsearched, "path")} not searched`] : []),
  ];
  const inactive = (["disabled", "ineligible", "shadowed"] as const).filter((status) => missing[status] > 0);
  const total = inactive.reduce((sum, status) => sum + missing[status], 0);
  const parts = inactive.map((status) => `${count(missing[status])} ${status}`);
  const lines = wrong.length > 0 ? [`${wrong.join(", ")}. See why: knack validate`] : [];
  if (!all && unverified > 0)
    lines.push(`${pluralize(unverified, "skill")} changed or not locked. See which: knack verify --strict`);
  if (!all && total > 0)
    lines.push(`${pluralize(total, "skill")} inactive: ${parts.join(", ")}. See why: knack list --all`);
  if (waiting > 0) {
    const are = `${pluralize(waiting, "skill")} of this project ${waiting === 1 ? "is" : "are"}`;
    lines.push(`${are} hidden from agents until you trust it: knack trust`);
  }
  return lines;
}

export async function list(options: CommandOptions<"list">): Promise<void> {
  const { scope, all, json } = options;
  const project = openProject(options);
  const catalog = await project.catalog();
  const ofScope = catalog.entries.filter(({ skill }) => !scope || skill.scope === scope);
  const entries = ofScope.filter(({ status }) => all || status === "active");
  const asListed = (entry: Entry): object =>
    all ? { ...entry.skill, ...stateOf(catalog, entry) } : entry.skill;
  const columns: CellColumn<Entry>[] = [
    { title: "NAME", cell: ({ skill }) => skill.name },
    { title: "SCOPE", drop: 1, cell: ({ skill }) => skill.scope },
    ...(all ? [{ title: "STATUS", drop: 2, cell: (entry: Entry) => stateOf(catalog, entry).status }] : []),
    {
      title: "DESCRIPTION",
      flexible: true,
      cell: (entry) => {
        const why = all ? stateOf(catalog, entry).reason : "";
        return why === "" ? entry.skill.description : `(${why}) ${entry.skill.description}`;
      },
    },
  ];
  const report = (): object => ({ ...catalog.toJSON(), skills: entries.map(asListed) });
  showTable(options, report, entries, columns, summaryOf(entries, catalog));
  if (json) return;
  for (const line of describeMissing(countMissing(catalog, project.isTrusted, scope), all)) note(line);
}

/** What keeps a skill from being used, and why; `denied` is by a rule that holds for everybody. */
function stateOf({ config }: Catalog, { skill, status, reason }: Entry) {
  const request = { tool: "skill_load", skill, readsSkill: true, actor: "person" } as const;
  const rule = status === "active" && config.permissions.deny.find((one) => denies(one, request));
  return rule ? { status: "denied", reason: describeRule("deny", rule) } : { status, reason };
}

function summaryOf(entries: readonly Entry[], { entries: all, errors, config }: Catalog): string {
  if (!config.skills.enabled)
    return `${pluralize(entries.length, "skill")}; all skills are disabled by skills.enabled in the configuration`;
  if (all.length + errors.length > 0) return pluralize(entries.length, "skill");
  return "No skills found. Create one: knack new <name>. See where Knack looks: knack doctor";
}

const RESULT_COLUMNS: readonly CellColumn<SearchResult>[] = [
  { title: "NAME", cell: ({ skill }) => skill.name },
  { title: "REASON", drop: 3, cell: ({ reason }) => reason },
  { title: "SCORE", drop: 2, cell: ({ score }) => score.toFixed(2) },
  { title: "MATCHED", drop: 1, cell: ({ matched }) => matched.slice(0, 4).join(" ") },
  { title: "DESCRIPTION", flexible: true, cell: ({ skill }) => skill.description },
];

export async function search(words: readonly string[], options: CommandOptions<"search">): Promise<void> {
  const { limit, scope, also } = options;
  await withProject(options, async (project) => {
    const catalog = await project.catalog();
    const query = words.join(" ");
    const found = await catalog.searchAsync(query, { limit, scope, also });
    const names = (fitting: boolean): string[] =>
      found.results.filter(({ fits }) => fits === fitting).map(({ skill }) => skill.name);
    tellFound(found, options);
    const data = { results: names(true), weaker: names(false) };
    const said = { query, ...(also ? { also } : {}) };
    project.record({ type: "SKILL_SEARCHED", actor: "person", data, words: said }, { by: "cli" });
  });
}

function tellFound(found: SearchResults, options: GlobalOptions): void {
  if (options.json) {
    printJson(found);
    return;
  }
  const fit = found.results.filter(({ fits }) => fits);
  const weaker = found.results.filter(({ fits }) => !fits);
  const [head = "", ...lines] = tableLines([...fit, ...weaker], RESULT_COLUMNS);
  const dim = lines.slice(fit.length).map((line) => paint("dim", line));
  if (found.count === 0) print("Nothing fits.");
  else if (fit.length === 0) print(["Nothing fits. Nearest:", head, ...dim].join("\n"));
  else {
    const divider = dim.length > 0 ? [paint("dim", "Weaker matches:")] : [];
    print([head, ...lines.slice(0, fit.length), ...divider, ...dim].join("\n"));
  }
  const fits = found.fitting === 1 ? "1 skill fits" : `${found.fitting} skills fit`;
  if (found.fitting > 0) remark(found.truncated ? `${fits}; --limit shows more` : fits);
}

/** Something wrong for a person: `path:line` first, so that editors can jump there. */
export function findingLine(
  { path, line, message }: { readonly path: string; readonly line?: number; readonly message: string },
  label: string,
  cwd: string,
): string {
  const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
  return `${paint("bold", place)}: ${label}: ${escapeControl(message)}`;
}

export function reportDiagnostics(diagnostics: readonly Diagnostic[], cwd: string): string[] {
  return diagnostics.map((found) => {
    const isError = found.code.startsWith("E_");
    const label = paint(isError ? "red" : "yellow", `${isError ? "error" : "warning"} ${found.code}`);
    return findingLine(found, label, cwd);
  });
}

export async function show(reference: string, options: GlobalOptions): Promise<void> {
  const catalog = await openProject(options).catalog();
  const cwd = resolve(options.cwd ?? ".");
  const entry = find(catalog, reference, cwd);
  const { report, dangling } = await reportSkill(catalog, entry);
  const { status, reason } = stateOf(catalog, entry);
  if (options.json) return printJson({ ...report, skill: { ...report.skill, status, reason } });
  const { skill } = entry;
  const { name: _, description: __, ...more } = report.skill.frontmatter;
  const all: [string, unknown][] = [
    ["name", skill.name],
    ["title", skill.displayName],
    ["description", skill.description],
    ["in short", skill.shortDescription],
    ["status", reason === "" ? status : `${status}: ${reason}`],
    ["scope", skill.scope],
    ["dialect", skill.dialect],
    ["client", skill.client],
    ["path", skill.path],
    ...(skill.places ?? []).slice(1).map((place): [string, string] => ["also in", place]),
    ["id", skill.id],
    ...Object.entries(more),
  ];
  const fields = all
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)] as const);
  const files = report.files.map((file) => shortPath(file, skill.dir));
  const missing = dangling.map(({ name, line }) => `${escapeControl(name)} (line ${line})`);
  const diagnostics = reportDiagnostics(report.diagnostics, cwd);
  print(
    [
      ...fieldLines(fields),
      ...section("files", files),
      ...section("edges", report.edges.map(edgeLine)),
      ...section("dangling", missing),
      ...section("diagnostics", diagnostics),
    ].join("\n"),
  );
}

function edgeLine({ from, to, type, alternative, line }: SkillReport["edges"][number]): string {
  return `${escapeControl(from)} ${type} ${escapeControl(to)} (line ${line}${alternative ? ", one of several" : ""})`;
}

function find(catalog: Catalog, given: string, cwd: string): Entry {
  try {
    return catalog.resolveEntry(given, { includeInactive: true });
  } catch (error) {
    const isMissing = error instanceof KnackError && error.code === "NOT_FOUND";
    const why = isMissing ? leftOut(catalog, given, cwd) : undefined;
    if (why === undefined) throw error;
    throw notFound(why);
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

/**
 * The folder that a given path means: a folder with skills, or that of a SKILL.md (`isFile`), where only that skill counts and not
 * those below it. Throws `KnackError`.
 */
export function skillPlace(path: string) {
  if (!existsSync(path)) throw notFound(`${shorten(path)} does not exist; check the path.`);
  const isFile = !statSync(path).isDirectory();
  if (isFile && basename(path) !== "SKILL.md")
    throw invalid(`${shorten(path)} is not a SKILL.md; name a skill's folder or its SKILL.md.`);
  return { folder: realpathSync(isFile ? dirname(path) : path), isFile };
}
