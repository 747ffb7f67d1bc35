import { isUtf8 } from "node:buffer";
import { dirname, resolve } from "node:path";
import {
  baselineText,
  type Finding,
  fixText,
  isInBaseline,
  type LintSeverity,
  lintRule,
  lintSkills,
  readBaseline,
  toSarif,
} from "@knack/core/check";
import { readRegularFile, writeDurably, writeError } from "@knack/core/files";
import { shorten } from "@knack/core/text";
import { type GlobalOptions, invalid, notFound } from "../options.ts";
import { note, noteVerdict, paint, print, printJson } from "../terminal/output.ts";
import { pluralize } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { findingLine } from "./skills.ts";
import type { CommandOptions } from "./table/table.ts";
import { findProblems, replaceFile } from "./validate.ts";

/** The folders of the skills to lint: everything that is found from here, or what is at these paths, in a root or not. */
async function chooseSkills(paths: readonly string[], options: GlobalOptions) {
  const { catalog, files, errors } = await findProblems(paths, options);
  const none = errors.find(({ code }) => code === "E_SKILL_MISSING");
  if (none)
    throw notFound(
      `No skills found in ${shorten(none.path)}: it has no SKILL.md, and no folder below it has one.`,
    );
  return { catalog, dirs: [...new Set(files.map((file) => dirname(file)))].sort() };
}

const MAX_BYTES = 4 * 1024 * 1024;

function fixFiles(findings: readonly Finding[]): number {
  let fixed = 0;
  const fixable = findings.filter(({ suppressed }) => suppressed === undefined);
  for (const [path, some] of Map.groupBy(fixable, (finding) => finding.path)) {
    const content = readRegularFile(path, MAX_BYTES, false);
    if ("fault" in content || !isUtf8(content.bytes)) continue;
    const before = content.bytes;
    const { text, fixed: count } = fixText(before.toString("utf8"), some);
    if (count === 0) continue;
    const failure = replaceFile(path, before, Buffer.from(text, "utf8"));
    if (failure !== undefined) note(failure);
    else fixed += count;
  }
  return fixed;
}

const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Findings for a person: `path:line` first, so that editors can jump there; then what to do, once a rule. */
function tellFindings(findings: readonly Finding[], cwd: string): string[] {
  const lines = findings.map((found) => {
    const label = paint(COLORS[found.severity], `${found.severity} ${found.rule}`);
    return findingLine(found, label, cwd);
  });
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const advice = rules.map((id) => `  ${paint("bold", id)}: ${lintRule(id)?.remedy ?? ""}`);
  return advice.length === 0 ? lines : [...lines, "", "What to do:", ...advice];
}

export async function lint(paths: readonly string[], options: CommandOptions<"lint">): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const baselineFile = options.baseline === undefined ? undefined : resolve(cwd, options.baseline);
  if (options.updateBaseline && baselineFile === undefined)
    throw invalid("--update-baseline needs --baseline <file>: the file to write.");
  const { catalog, dirs } = await chooseSkills(paths, options);
  let findings = lintSkills(dirs);
  const fixed = options.fix ? fixFiles(findings) : 0;
  if (fixed > 0) findings = lintSkills(dirs);

  if (options.updateBaseline && baselineFile !== undefined) {
    const failure = writeDurably(baselineFile, 0o644, baselineText(findings, baselineFile));
    if (failure !== undefined) throw writeError(baselineFile, failure);
  }
  const accepted = baselineFile === undefined ? new Set<string>() : readBaseline(baselineFile);
  const fresh = findings.filter((finding) => !isInBaseline(finding, accepted));
  const open = fresh.filter(({ suppressed }) => suppressed === undefined);
  const having = (severity: LintSeverity): Finding[] => open.filter((one) => one.severity === severity);
  const [errors, warnings, notes] = [having("error"), having("warning"), having("note")];
  const suppressed = fresh.filter((finding) => finding.suppressed !== undefined);
  const known = findings.length - fresh.length;
  process.exitCode = errors.length > 0 ? 1 : 0;

  if (options.sarif) printJson(toSarif(fresh, catalog.projectRoot, version));
  else if (options.json)
    printJson({ checked: dirs.length, fixed, in_baseline: known, suppressed, errors, warnings, notes });
  else {
    const shown = options.all ? open : open.filter(({ severity }) => severity !== "note");
    print(tellFindings(shown, cwd).join("\n"));
    const hint = notes.length > 0 && !options.all ? " (--all shows them)" : "";
    const parts = [
      `${pluralize(dirs.length, "skill")} checked`,
      pluralize(errors.length, "error"),
      pluralize(warnings.length, "warning"),
      `${pluralize(notes.length, "note")}${hint}`,
      ...(fixed > 0 ? [`${fixed} fixed`] : []),
      ...(suppressed.length > 0 ? [`${suppressed.length} suppressed`] : []),
      ...(known > 0 ? [`${known} in the baseline`] : []),
    ];
    noteVerdict(parts);
  }
}
