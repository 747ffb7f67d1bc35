import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Catalog, skillGraph } from "@knack/core";
import { fixSkill } from "@knack/core/check";
import { canonical, isInside, readRegularFile, writeDurably, writeFailure } from "@knack/core/files";
import { type Diagnostic, fewOf, toDiagnostic } from "@knack/core/text";
import { openProject } from "../host/open-project.ts";
import { type GlobalOptions, invalid } from "../options.ts";
import { askConsent, note, noteVerdict, paintOn, print, printJson } from "../terminal/output.ts";
import { unifiedDiff } from "../terminal/unified-diff.ts";
import { escapeControl, pluralize, shellWords, shortPath, visiblePath } from "../terminal/visible.ts";
import { reportDiagnostics, skillPlace } from "./skills.ts";
import type { CommandOptions } from "./table/table.ts";

interface Findings {
  readonly files: readonly string[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

type Problems = Awaited<ReturnType<typeof findProblems>>;

/** What is found from here, or at these paths, and what is wrong with it. */
export async function findProblems(paths: readonly string[], options: GlobalOptions) {
  const cwd = resolve(options.cwd ?? ".");
  const catalog = await openProject(options).catalog({ enabled: true });
  const places = [...new Set(paths.map((path) => resolve(cwd, path)))].map(skillPlace);
  const all = paths.length === 0 ? [findings(catalog, undefined)] : [];
  for (const { folder, isFile } of places) all.push(await check(folder, isFile, catalog, options));
  return {
    catalog,
    /** The folders that were named, with every link resolved. */
    given: [...new Set(places.map(({ folder }) => folder))],
    files: [...new Set(all.flatMap(({ files }) => files))],
    errors: unique(all.flatMap(({ errors }) => errors)),
    warnings: unique(all.flatMap(({ warnings }) => warnings)),
  };
}

function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}

/** A path in one of the roots is read as that root says; any other as the open standard does. */
async function check(
  folder: string,
  isFile: boolean,
  catalog: Catalog,
  options: GlobalOptions,
): Promise<Findings> {
  const place = isFile ? join(folder, "SKILL.md") : folder;
  const inRoots = findings(catalog, place);
  const alone = findings(
    await openProject(options).catalog({ roots: [{ path: folder }], cache: false, enabled: true }),
    folder,
  );
  // What is in a root is read as the root says, whatever else is around it.
  const isElsewhere = (file: string): boolean => !catalog.roots.some((root) => isInside(file, root.real));
  const both: Findings = {
    files: [...inRoots.files, ...alone.files.filter(isElsewhere)],
    errors: [...inRoots.errors, ...alone.errors.filter(({ path }) => isElsewhere(path))],
    warnings: [...inRoots.warnings, ...alone.warnings.filter(({ path }) => isElsewhere(path))],
  };
  if (both.files.length > 0 || both.errors.length > 0) return both;
  if (alone.files.length > 0) return alone;
  const message = "No skills found: this folder has no SKILL.md, and no folder below it has one.";
  return { files: [], errors: [{ path: folder, code: "E_SKILL_MISSING", message }], warnings: [] };
}

/** A skill that merely cannot be used on this machine is valid. */
function findings(catalog: Catalog, place: string | undefined): Findings {
  const concerns = ({ path }: { path: string }): boolean =>
    place === undefined || path === place || (!place.endsWith("SKILL.md") && isInside(path, place));
  return {
    files: catalog.files.filter((path) => concerns({ path })),
    errors: catalog.errors.filter((error) => error.code !== "E_INELIGIBLE" && concerns(error)),
    warnings: catalog.warnings.filter(concerns),
  };
}

const MAX_BYTES = 1024 * 1024;
/** The first byte of a byte order mark; no other file without a problem needs a closer look. */
const MARK = 0xef;

/** The changes that fix these problems. Files that only a link leads to are somebody else's and stay. */
function planFixes({ files, errors, warnings, catalog, given }: Problems) {
  const known = Map.groupBy([...errors, ...warnings], ({ path }) => path);
  const project = canonical(catalog.projectRoot);
  // A folder of the project that is a link to outside is not the project's to change, and a plugin not the user's.
  const roots = catalog.roots.filter(
    ({ real, ofProject, isManaged }) => !isManaged && (!ofProject || isInside(real, project)),
  );
  const places = [...roots.map(({ real }) => real), ...given];
  return files.flatMap((path) => {
    if (!places.some((place) => isInside(path, place))) return [];
    const problems = known.get(path) ?? [];
    const content = readRegularFile(path, MAX_BYTES, false);
    if ("fault" in content || content.stats.nlink > 1) return [];
    if (problems.length === 0 && content.bytes[0] !== MARK) return [];
    // A skill that loads is used by its name; that changes only where somebody names the skill.
    const renames = given.length > 0 || problems.some(({ code }) => code.startsWith("E_"));
    const fixed = fixSkill(content.bytes, placeOf(path, catalog), { renames });
    if (!fixed) return [];
    const fixes = fixed.fixed.map((fault) => {
      const reported = problems.find(({ code }) => code.slice(2) === fault.fault);
      return reported ?? toDiagnostic(fault, path, "strict");
    });
    return [{ path, before: content.bytes, after: fixed.bytes, fixes, renamed: fixed.renamed }];
  });
}

type FilePlan = ReturnType<typeof planFixes>[number];

function placeOf(path: string, catalog: Catalog): Parameters<typeof fixSkill>[1] {
  const dir = dirname(path);
  const [root] = catalog.roots
    .filter(({ real }) => isInside(path, real))
    .sort((a, b) => b.real.length - a.real.length);
  return {
    folder: basename(dir),
    dialect: root?.dialect ?? "agentskills",
    bareIsLily: root?.bareIsLily === true && dirname(dir) === root.real,
  };
}

type Rename = Awaited<ReturnType<typeof findRenames>>[number];

async function findRenames(plans: readonly FilePlan[], catalog: Catalog) {
  const renamed = plans.flatMap(({ path, renamed }) => (renamed ? [{ path, ...renamed }] : []));
  if (renamed.length === 0) return [];
  const { edges, dangling } = await skillGraph(catalog);
  const uses = [
    ...edges.map(({ from, to, toPath }) => ({ from, to, toPath })),
    ...dangling.map(({ from, name }) => ({ from, to: name, toPath: null })),
  ];
  return renamed.map((rename) => {
    const users = uses.filter(({ to, toPath }) => toPath === rename.path || (!toPath && to === rename.from));
    return {
      ...rename,
      usedBy: [...new Set(users.map(({ from }) => from))].sort(),
      isTaken: catalog.entries.some(({ skill }) => skill.name === rename.to && skill.path !== rename.path),
    };
  });
}

const MOST = 10;

/** What a person should look at, because a fix changes names. */
function describeRenames(renames: readonly Rename[]): string[] {
  if (renames.length === 0) return [];
  const lines = renames.flatMap(({ from, to, usedBy, isTaken }) => {
    const [old, now] = [escapeControl(from), escapeControl(to)];
    const users = `${fewOf(usedBy.map(escapeControl))} still ${usedBy.length === 1 ? "uses" : "use"}`;
    return [
      ...(usedBy.length > 0 ? [`${old} becomes ${now}, but ${users} the old name.`] : []),
      ...(isTaken ? [`Another skill is called ${now}, too; use their paths to tell them apart.`] : []),
    ];
  });
  const more =
    lines.length > MOST ? [`… and ${pluralize(lines.length - MOST, "more line")} like these.`] : [];
  const get = renames.length === 1 ? "gets" : "get";
  return [
    ...lines.slice(0, MOST),
    ...more,
    `${pluralize(renames.length, "skill")} ${get} a new name. Other skills, prompts and permission rules may still use the old one.`,
  ];
}

export async function validate(paths: readonly string[], options: CommandOptions<"validate">): Promise<void> {
  if (!options.fix && (options.dryRun || options.yes))
    throw invalid(`${options.yes ? "--yes" : "--dry-run"} needs --fix.`);
  const problems = await findProblems(paths, options);
  const plans = options.fix || !options.json ? planFixes(problems) : [];
  if (options.fix && plans.length > 0) return fixSkills(problems, plans, paths, options);
  tellProblems(problems, options.fix ? { fixed: [] } : {}, options);
  if (options.json) return;
  const fixable = plans.flatMap(({ fixes }) => fixes).length;
  const cwd = resolve(options.cwd ?? ".");
  const words = paths.map((path) => shellWords([shortPath(resolve(cwd, path), cwd)]));
  if (fixable > 0)
    note(`${pluralize(fixable, "problem")} can be fixed: ${["knack validate --fix", ...words].join(" ")}`);
  else if (options.fix && problems.errors.length + problems.warnings.length > 0)
    note("None of these problems has one safe fix; correct them by hand.");
}

function tellProblems(problems: Problems, more: object, options: GlobalOptions): void {
  const { files, errors, warnings } = problems;
  process.exitCode = errors.length > 0 ? 1 : 0;
  if (options.json) {
    printJson(toReport(problems, more));
    return;
  }
  print(reportDiagnostics([...errors, ...warnings], resolve(options.cwd ?? ".")).join("\n"));
  const counts = [pluralize(errors.length, "error"), pluralize(warnings.length, "warning")];
  noteVerdict([`${pluralize(files.length, "skill")} checked`, ...counts], "valid", "invalid");
}

function toReport({ files, errors, warnings }: Problems, more: object): object {
  return { checked: files.length, ...more, errors, warnings };
}

async function fixSkills(
  problems: Problems,
  plans: readonly FilePlan[],
  paths: readonly string[],
  options: CommandOptions<"validate">,
): Promise<void> {
  const { dryRun, yes, json } = options;
  const renames = await findRenames(plans, problems.catalog);
  const isDecided = yes === true && !dryRun;
  // With `--json` a person sees the changes only where they are asked.
  if (!json) print(diffText(plans, options, 1));
  else if (!isDecided && !dryRun) note(diffText(plans, options, 2));
  if (!json || !isDecided) for (const line of describeRenames(renames)) note(line);
  const answer = isDecided ? "yes" : dryRun ? "no" : await askConsent(`Fix ${countOf(plans)}?`);
  if (answer === "yes") {
    const done = plans.filter(({ path, before, after }) => {
      const failure = replaceFile(path, before, after);
      if (failure !== undefined) note(failure);
      return failure === undefined;
    });
    if (!json && done.length > 0) note(`fixed: ${countOf(done)}`);
    tellProblems(await findProblems(paths, options), { fixed: entriesOf(done, renames) }, options);
    if (done.length < plans.length) process.exitCode = 1;
    return;
  }
  if (json) printJson(toReport(problems, { fixed: [], fixable: entriesOf(plans, renames) }));
  if (dryRun) note(`${countOf(plans)} can be fixed. Nothing was changed.`);
  else if (answer !== undefined) note("Nothing was changed.");
  else note(`Nothing was changed. To fix ${countOf(plans)}, add --yes, or run this in a terminal.`);
  process.exitCode = answer === "cancelled" ? 130 : 1;
}

function diffText(plans: readonly FilePlan[], options: GlobalOptions, fd: 1 | 2): string {
  const cwd = resolve(options.cwd ?? ".");
  return plans
    .flatMap(({ path, before, after }) =>
      unifiedDiff(shortPath(path, cwd), before.toString("utf8"), after.toString("utf8"), paintOn(fd)),
    )
    .join("\n");
}

/** Of a name also the old and the new one, and who uses the old one. */
function entriesOf(plans: readonly FilePlan[], renames: readonly Rename[]): object[] {
  return plans.flatMap(({ path, fixes }) => {
    const rename = renames.find((one) => one.path === path);
    return fixes.map((fix) =>
      rename && fix.code.endsWith("_NAME_DIR_MISMATCH")
        ? { ...fix, from: rename.from, to: rename.to, used_by: rename.usedBy }
        : fix,
    );
  });
}

function countOf(plans: readonly FilePlan[]): string {
  const problems = plans.flatMap(({ fixes }) => fixes).length;
  return `${pluralize(problems, "problem")} in ${pluralize(plans.length, "file")}`;
}

/**
 * Replaces the bytes of a user's file as a whole, with its mode; answers why it did not. A link, or a file with other names, may belong
 * to somebody else, and a file that has changed since it was read has newer text: they stay.
 */
export function replaceFile(path: string, before: Buffer, after: Buffer): string | undefined {
  const reason = obstacleTo(path, before);
  if (reason !== undefined) return `${visiblePath(path)} was not changed: ${reason}.`;
  const failure = writeDurably(path, lstatSync(path).mode & 0o777, after);
  return failure === undefined ? undefined : writeFailure(visiblePath(path), failure);
}

function obstacleTo(path: string, before: Buffer): string | undefined {
  const now = readRegularFile(path, before.length, false);
  if ("fault" in now && now.fault === "NOT_REGULAR") return `it is ${now.detail}`;
  if ("fault" in now && now.fault === "UNREADABLE") return `it cannot be read (${now.detail})`;
  if ("fault" in now || !now.bytes.equals(before)) return "it has changed in the meantime";
  if (now.stats.nlink > 1) return "it has a second name (a hard link)";
  return realpathSync(path) === path ? undefined : "a link leads to it";
}
