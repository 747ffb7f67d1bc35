import { resolve } from "node:path";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print } from "../../terminal/output.ts";
import { reportDiagnostics } from "../skills/report.ts";
import type { Problems } from "./find-problems.ts";

/** What a program reads of the problems. */
export function toReport({ files, errors, warnings }: Problems, more: object = {}): object {
  return { checked: files.length, ...more, errors, warnings };
}

/** The problems for a person, then the verdict. */
export function tellProblems({ files, errors, warnings }: Problems, options: GlobalOptions): void {
  print(reportDiagnostics([...errors, ...warnings], resolve(options.cwd ?? "."), options).join("\n"));
  const paint = painter(options, 2);
  const verdict = errors.length > 0 ? paint("red", "invalid") : paint("green", "valid");
  note(
    `${verdict}: ${pluralize(files.length, "skill")} checked, ${pluralize(errors.length, "error")}, ${pluralize(warnings.length, "warning")}`,
  );
}
