import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "@knack/core";
import { readRegularFile, shorten, writeDurably, writeError } from "@knack/core/internal";
import { note, print } from "../../terminal/output.ts";
import { visiblePath } from "../../terminal/visible.ts";
import { PAGE_BEGIN } from "./evaluation-page.ts";

/** A larger file is no report. */
const MAX_REPORT = 256 * 1024 * 1024;

/** Writes the page, or prints it where the file is `-`. Only an earlier report is replaced. */
export function writePage(file: string, cwd: string, page: string): void {
  if (file === "-") {
    print(page.trimEnd());
    return;
  }
  const path = resolve(cwd, file);
  checkReplaceable(path);
  const failure = writeDurably(path, 0o644, page);
  if (failure !== undefined) throw writeError(path, failure);
  note(`Wrote ${visiblePath(path)}.`);
}

/** Called before the work too, so that a wrong file is said at once. */
export function checkReplaceable(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  const there = readRegularFile(path, MAX_REPORT, false);
  if (!("fault" in there) && there.bytes.toString("utf8", 0, PAGE_BEGIN.length) === PAGE_BEGIN) return;
  throw new SkillError(
    "CONFLICT",
    `${shorten(path)} exists and is not a report of "knack eval"; name another file, or remove it.`,
  );
}
