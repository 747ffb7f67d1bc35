import { resolve } from "node:path";
import { SkillError } from "@knack/core";
import { pluralize } from "../../terminal/count.ts";
import { note, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { findProblems } from "./find-problems.ts";
import type { FixOptions } from "./fix-skills.ts";
import { planFixes } from "./plan-fixes.ts";
import { tellProblems, toReport } from "./tell-problems.ts";

interface ValidateOptions extends FixOptions {
  readonly fix?: boolean;
}

export async function validate(paths: readonly string[], options: ValidateOptions): Promise<void> {
  if (!options.fix && (options.dryRun || options.yes))
    throw new SkillError("INVALID_PARAM", `${options.yes ? "--yes" : "--dry-run"} needs --fix.`);
  const problems = await findProblems(paths, options);
  if (options.fix) {
    const { fixSkills } = await import("./fix-skills.ts");
    await fixSkills(problems, paths, options);
    return;
  }
  process.exitCode = problems.errors.length > 0 ? 1 : 0;
  if (options.json) {
    printJson(toReport(problems));
    return;
  }
  tellProblems(problems, options);
  const fixable = planFixes(problems).flatMap(({ fixes }) => fixes).length;
  const cwd = resolve(options.cwd ?? ".");
  const words = paths.map((path) => inShell(shortPath(resolve(cwd, path), cwd)));
  if (fixable > 0)
    note(`${pluralize(fixable, "problem")} can be fixed: ${["knack validate --fix", ...words].join(" ")}`);
}

/** A path as it is typed in a shell. */
function inShell(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
