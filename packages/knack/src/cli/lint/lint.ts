import { resolve } from "node:path";
import { SkillError } from "@knack/core";
import {
  baselineText,
  type Finding,
  isInBaseline,
  type LintSeverity,
  lintSkills,
  readBaseline,
  toSarif,
  writeDurably,
  writeError,
} from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { version } from "../../version.ts";
import { chooseSkills } from "./choose-skills.ts";
import { fixFiles } from "./fix-files.ts";
import { tellFindings } from "./tell-findings.ts";

export interface LintOptions extends GlobalOptions {
  readonly sarif?: boolean;
  readonly fix?: boolean;
  readonly all?: boolean;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}

export async function lint(paths: readonly string[], options: LintOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const baselineFile = options.baseline === undefined ? undefined : resolve(cwd, options.baseline);
  if (options.updateBaseline && baselineFile === undefined)
    throw new SkillError("INVALID_PARAM", "--update-baseline needs --baseline <file>: the file to write.");
  const catalog = await openProject(options).catalog({ enabled: true });
  const dirs = await chooseSkills(catalog, paths, options);
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
  const counts = {
    checked: dirs.length,
    fixed,
    in_baseline: findings.length - fresh.length,
    suppressed: fresh.filter(({ suppressed }) => suppressed !== undefined),
  };
  const [errors, warnings, notes] = [having("error"), having("warning"), having("note")];
  process.exitCode = errors.length > 0 ? 1 : 0;

  if (options.sarif) printJson(toSarif(fresh, { root: catalog.projectRoot, version }));
  else if (options.json) printJson({ ...counts, errors, warnings, notes });
  else {
    const shown = options.all ? open : open.filter(({ severity }) => severity !== "note");
    print(tellFindings(shown, cwd, options).join("\n"));
    summarize(options, counts, errors, warnings, notes);
  }
}

function summarize(
  options: LintOptions,
  counts: { checked: number; fixed: number; in_baseline: number; suppressed: readonly Finding[] },
  errors: readonly Finding[],
  warnings: readonly Finding[],
  notes: readonly Finding[],
): void {
  const verdict =
    errors.length > 0 ? painter(options, 2)("red", "failed") : painter(options, 2)("green", "ok");
  const hint = notes.length > 0 && !options.all ? " (--all shows them)" : "";
  const parts = [
    `${pluralize(counts.checked, "skill")} checked`,
    pluralize(errors.length, "error"),
    pluralize(warnings.length, "warning"),
    `${pluralize(notes.length, "note")}${hint}`,
    ...(counts.fixed > 0 ? [`${counts.fixed} fixed`] : []),
    ...(counts.suppressed.length > 0 ? [`${counts.suppressed.length} suppressed`] : []),
    ...(counts.in_baseline > 0 ? [`${counts.in_baseline} in the baseline`] : []),
  ];
  note(`${verdict}: ${parts.join(", ")}`);
}
