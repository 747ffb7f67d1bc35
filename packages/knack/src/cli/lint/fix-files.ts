import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { type Finding, fixText, writeDurably, writeFailure } from "@knack/core/internal";
import { note } from "../../terminal/output.ts";
import { visiblePath } from "../../terminal/visible.ts";

/** Writes the safe remedies of these findings. A link, or a file with other names, may belong to somebody else: it stays. */
export function fixFiles(findings: readonly Finding[]): number {
  let fixed = 0;
  const fixable = findings.filter(({ suppressed }) => suppressed === undefined);
  for (const [path, some] of Map.groupBy(fixable, (finding) => finding.path)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.nlink > 1 || realpathSync(path) !== path) continue;
    const before = readFileSync(path);
    const { text, fixed: count } = fixText(before.toString("utf8"), some);
    if (count === 0) continue;
    const failure = writeDurably(path, stats.mode & 0o777, text);
    if (failure !== undefined) note(writeFailure(visiblePath(path), failure));
    else fixed += count;
  }
  return fixed;
}
