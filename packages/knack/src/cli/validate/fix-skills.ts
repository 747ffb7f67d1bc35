import { resolve } from "node:path";
import type { GlobalOptions } from "../../options.ts";
import { askConsent, type Consent } from "../../terminal/ask-consent.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { unifiedDiff } from "../../terminal/unified-diff.ts";
import { replaceFile } from "../replace-file.ts";
import { describeRenames, findRenames, type Rename } from "./describe-renames.ts";
import { findProblems, type Problems } from "./find-problems.ts";
import { type FilePlan, planFixes } from "./plan-fixes.ts";
import { tellProblems, toReport } from "./tell-problems.ts";

export interface FixOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Shows the changes that fix the problems, asks, writes them, and checks again. */
export async function fixSkills(
  problems: Problems,
  paths: readonly string[],
  options: FixOptions,
): Promise<void> {
  const plans = planFixes(problems);
  if (plans.length === 0) {
    tellOutcome(problems, { fixed: [] }, options);
    const hasProblems = problems.errors.length + problems.warnings.length > 0;
    if (hasProblems && !options.json) note("None of these problems has one safe fix; correct them by hand.");
    return;
  }
  const renames = await findRenames(plans, problems.catalog);
  const consent = options.yes && !options.dryRun ? "yes" : undefined;
  showChanges(plans, renames, options, consent === "yes");
  const answer = consent ?? (await askFor(plans, options));
  if (answer === "yes") {
    const done = plans.filter(({ path, before, after }) => {
      const failure = replaceFile(path, before, after);
      if (failure !== undefined) note(failure);
      return failure === undefined;
    });
    if (!options.json && done.length > 0) note(`fixed: ${countOf(done)}`);
    tellOutcome(await findProblems(paths, options), { fixed: entriesOf(done, renames) }, options);
    if (done.length < plans.length) process.exitCode = 1;
    return;
  }
  if (options.json) printJson(toReport(problems, { fixed: [], fixable: entriesOf(plans, renames) }));
  note(nothingChanged(answer, plans, options));
  process.exitCode = answer === "cancelled" ? 130 : 1;
}

/** With `--json` a person sees the changes only where they are asked. */
function showChanges(
  plans: readonly FilePlan[],
  renames: readonly Rename[],
  options: FixOptions,
  isDecided: boolean,
): void {
  const cwd = resolve(options.cwd ?? ".");
  const lines = (fd: 1 | 2): string =>
    plans
      .flatMap(({ path, before, after }) =>
        unifiedDiff(
          shortPath(path, cwd),
          before.toString("utf8"),
          after.toString("utf8"),
          painter(options, fd),
        ),
      )
      .join("\n");
  if (!options.json) print(lines(1));
  else if (!isDecided && !options.dryRun) note(lines(2));
  if (!options.json || !isDecided) for (const line of describeRenames(renames)) note(line);
}

/** `undefined` where nobody can be asked. */
async function askFor(plans: readonly FilePlan[], { dryRun }: FixOptions): Promise<Consent | undefined> {
  return dryRun ? "no" : askConsent(`Fix ${countOf(plans)}?`);
}

function nothingChanged(
  answer: Consent | undefined,
  plans: readonly FilePlan[],
  { dryRun }: FixOptions,
): string {
  if (dryRun) return `${countOf(plans)} can be fixed. Nothing was changed.`;
  if (answer !== undefined) return "Nothing was changed.";
  return `Nothing was changed. To fix ${countOf(plans)}, add --yes, or run this in a terminal.`;
}

function tellOutcome(
  problems: Problems,
  more: { readonly fixed: readonly object[] },
  options: FixOptions,
): void {
  process.exitCode = problems.errors.length > 0 ? 1 : 0;
  if (options.json) printJson(toReport(problems, more));
  else tellProblems(problems, options);
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
