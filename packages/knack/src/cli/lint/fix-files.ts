import { isUtf8 } from "node:buffer";
import { type Finding, fixText, readRegularFile } from "@knack/core/internal";
import { note } from "../../terminal/output.ts";
import { replaceFile } from "../replace-file.ts";

/** More than any text that is linted. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Writes the safe remedies of these findings. */
export function fixFiles(findings: readonly Finding[]): number {
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
