import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Catalog, type Entry, type SearchResult, type SearchResults, SkillError } from "@knack/core";
import { canonical, isInside } from "@knack/core/files";
import { type Diagnostic, fewOf, quote, shorten } from "@knack/core/text";
import { openProject, withProject } from "../host/open-project.ts";
import { reportSkill, type SkillReport } from "../host/reports.ts";
import type { GlobalOptions } from "../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { count, escapeControl, pluralize, shortPath } from "../terminal/visible.ts";

interface LeftOut {
  /** Only this scope was asked for. */
  readonly scope: string | undefined;
  /** Valid skills that were not listed because they cannot be used now. */
  readonly inactive: readonly Entry[];
  readonly isTrusted: boolean;
}

/** What is there and was not listed, or not for everybody: a line each, with the command that says more. */
export function describeLeftOut(catalog: Catalog, { scope, inactive, isTrusted }: LeftOut): string[] {
  return [
    ...describeErrors(catalog, scope),
    ...describeUnverified(inactive),
    ...describeInactive(inactive),
    ...(isTrusted ? [] : describeUntrusted(catalog, scope)),
  ];
}

function describeErrors({ errors, files, roots }: Catalog, scope: string | undefined): string[] {
  const isOfScope = (path: string): boolean =>
    scope === undefined || roots.some((root) => root.scope === scope && isInside(path, root.real));
  const paths = new Set(errors.filter(({ code }) => code !== "E_INELIGIBLE").map(({ path }) => path));
  const wrong = [...paths].filter(isOfScope);
  const known = new Set(files);
  const skills = wrong.filter((path) => known.has(path)).length;
  const others = wrong.length - skills;
  const parts = [
    ...(skills > 0 ? [`${pluralize(skills, "skill")} left out`] : []),
    ...(others > 0 ? [`${pluralize(others, "path")} not searched`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(", ")}. See why: knack validate`];
}

/** Under `skills.locked`: those that nobody gets until the user has looked at them. */
function describeUnverified(inactive: readonly Entry[]): string[] {
  const { length } = inactive.filter(({ status }) => status === "unverified");
  if (length === 0) return [];
  return [`${pluralize(length, "skill")} changed or not locked. See which: knack verify --strict`];
}

function describeInactive(entries: readonly Entry[]): string[] {
  const inactive = entries.filter(({ status }) => status !== "unverified");
  const parts = (["disabled", "ineligible", "shadowed"] as const).flatMap((status) => {
    const { length } = inactive.filter((entry) => entry.status === status);
    return length > 0 ? [`${count(length)} ${status}`] : [];
  });
  if (parts.length === 0) return [];
  return [`${pluralize(inactive.length, "skill")} inactive: ${parts.join(", ")}. See why: knack list --all`];
}

function describeUntrusted({ skills }: Catalog, scope: string | undefined): string[] {
  const waiting = skills.filter((skill) => skill.scope === "repo").length;
  if (waiting === 0 || (scope !== undefined && scope !== "repo")) return [];
  const are = waiting === 1 ? "is" : "are";
  return [
    `${pluralize(waiting, "skill")} of this project ${are} hidden from agents until you trust it: knack trust`,
  ];
}

export interface ListOptions extends GlobalOptions {
  readonly scope?: string;
  readonly all?: boolean;
}

export async function list(options: ListOptions): Promise<void> {
  const project = openProject(options);
  const catalog = await project.catalog();
  const ofScope = catalog.entries.filter(({ skill }) => !options.scope || skill.scope === options.scope);
  const entries = ofScope.filter(({ status }) => options.all || status === "active");
  if (options.json) {
    const skills = entries.map(({ skill, status, reason }) =>
      options.all ? { ...skill, status, reason } : skill,
    );
    printJson({ ...catalog.toJSON(), skills });
    return;
  }
  print(render(entries, options).join("\n"));
  note(painter(options, 2)("dim", summaryOf(entries, catalog)));
  const inactive = options.all ? [] : ofScope.filter(({ status }) => status !== "active");
  for (const line of describeLeftOut(catalog, {
    scope: options.scope,
    inactive,
    isTrusted: project.isTrusted,
  }))
    note(line);
}

function summaryOf(entries: readonly Entry[], { entries: all, errors, config }: Catalog): string {
  if (!config.skills.enabled)
    return `${pluralize(entries.length, "skill")}; all skills are disabled by skills.enabled in the configuration`;
  if (all.length + errors.length > 0) return pluralize(entries.length, "skill");
  return "No skills found. Create one: knack new <name>. See where Knack looks: knack doctor";
}

function render(entries: readonly Entry[], options: ListOptions): string[] {
  if (entries.length === 0) return [];
  const columns = [
    { title: "NAME" },
    { title: "SCOPE", drop: 1 },
    ...(options.all ? [{ title: "STATUS", drop: 2 }] : []),
    { title: "DESCRIPTION", flexible: true },
  ];
  const rows = entries.map(({ skill, status, reason }) => [
    escapeControl(skill.name),
    skill.scope,
    ...(options.all ? [status] : []),
    escapeControl(reason === "" ? skill.description : `(${reason}) ${skill.description}`),
  ]);
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  return [painter(options)("bold", head), ...lines];
}

export interface SearchOptions extends GlobalOptions {
  readonly limit?: string;
  readonly scope?: "repo" | "user" | "bundled";
  /** Once showed weaker matches, which are always shown now; scripts may still give it. */
  readonly also?: readonly string[];
}

export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  if (limit !== undefined && !Number.isInteger(limit)) {
    throw new SkillError("INVALID_PARAM", `--limit takes a whole number, not ${quote(options.limit)}.`);
  }
  const found = await withProject(options, async (project) => {
    const catalog = await project.catalog();
    const { scope, also } = options;
    const found = await catalog.searchAsync(words.join(" "), { limit, scope, also });
    const names = found.results.filter(({ fits }) => fits).map(({ skill }) => skill.name);
    const data = { query: words.join(" ").slice(0, 500), results: names };
    await project.record({ type: "SKILL_SEARCHED", actor: "person", data }, "cli");
    return found;
  });
  if (options.json) {
    printJson(found);
    return;
  }
  const paint = painter(options);
  const columns = [
    { title: "NAME" },
    { title: "REASON", drop: 3 },
    { title: "SCORE", drop: 2 },
    { title: "MATCHED", drop: 1 },
    { title: "DESCRIPTION", flexible: true },
  ];
  const fit = found.results.filter(({ fits }) => fits);
  const weaker = found.results.filter(({ fits }) => !fits);
  const [head = "", ...lines] = table(columns, [...fit, ...weaker].map(row), terminalWidth());
  const dim = lines.slice(fit.length).map((line) => paint("dim", line));
  if (found.count === 0) print("Nothing fits.");
  else if (fit.length === 0) print(["Nothing fits. Nearest:", paint("bold", head), ...dim].join("\n"));
  else {
    const divider = dim.length > 0 ? [paint("dim", "Weaker matches:")] : [];
    print([paint("bold", head), ...lines.slice(0, fit.length), ...divider, ...dim].join("\n"));
  }
  if (found.fitting > 0) note(painter(options, 2)("dim", summary(found)));
}

function summary({ fitting, truncated }: SearchResults): string {
  const fit = fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
  return truncated ? `${fit}; --limit shows more` : fit;
}

function row({ skill, reason, score, matched }: SearchResult): string[] {
  const words = matched.slice(0, 4).join(" ");
  return [
    escapeControl(skill.name),
    reason,
    score.toFixed(2),
    escapeControl(words),
    escapeControl(skill.description),
  ];
}

/** Diagnostics for a person: `path:line` first, so that editors can jump there. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  cwd: string,
  options: GlobalOptions,
): string[] {
  const paint = painter(options);
  return diagnostics.map(({ path, code, message, line }) => {
    const isError = code.startsWith("E_");
    const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
    return `${paint("bold", place)}: ${paint(isError ? "red" : "yellow", `${isError ? "error" : "warning"} ${code}`)}: ${escapeControl(message)}`;
  });
}

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

export interface SkillPlace {
  readonly folder: string;
  /** Whether the path names a SKILL.md: then only that skill counts, not those below it. */
  readonly isFile: boolean;
}

/** The folder that a given path means: a folder with skills, or the folder of a SKILL.md. Throws `SkillError`. */
export function skillPlace(path: string): SkillPlace {
  if (!existsSync(path))
    throw new SkillError("NOT_FOUND", `${shorten(path)} does not exist; check the path.`);
  const isFile = !statSync(path).isDirectory();
  if (isFile && basename(path) !== "SKILL.md")
    throw new SkillError(
      "INVALID_PARAM",
      `${shorten(path)} is not a SKILL.md; name a skill's folder or its SKILL.md.`,
    );
  return { folder: realpathSync(isFile ? dirname(path) : path), isFile };
}
