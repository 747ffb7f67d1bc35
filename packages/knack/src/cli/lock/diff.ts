import { resolve } from "node:path";
import { SkillError } from "@knack/core";
import { folderOf, quote } from "@knack/core/internal";
import { type Difference, diffOf } from "../../host/lock-diff.ts";
import { openProject } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, type Pinned } from "../../host/pins.ts";
import { recoverInstalls } from "../../install/recover.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl, escapeControlInText, visiblePath } from "../../terminal/visible.ts";
import { findPinned, openLocks } from "./locks.ts";
import { changeLines } from "./tell-changes.ts";

export async function diff(reference: string, options: GlobalOptions): Promise<void> {
  await recoverInstalls(options);
  const found = findPinned(await openLocks(openProject(options)), reference);
  const [pinned] = found;
  if (!pinned || found.length > 1)
    throw new SkillError(
      "AMBIGUOUS",
      `${quote(reference)} could mean ${found.length} locked skills; name one by its path.`,
      found.map((one) => folderOf(one.place, folderOfPinned(one))),
    );
  const differences: Difference[] = [];
  for (const change of await changesOf(pinned)) differences.push(await diffOf(pinned, change));
  if (options.json) {
    const path = folderOf(pinned.place, folderOfPinned(pinned));
    printJson({ skill: pinned.key, path, changes: differences });
    return;
  }
  tell(pinned, differences, options);
}

function tell(pinned: Pinned, differences: readonly Difference[], options: GlobalOptions): void {
  const { key, place, npx } = pinned;
  const name = escapeControl(key);
  if (differences.length === 0) {
    note(`${name} is as it was locked.`);
    return;
  }
  const paint = painter(options);
  const where = shortPath(folderOf(place, folderOfPinned(pinned)), resolve(options.cwd ?? "."));
  print([`${paint("bold", name)}  ${where}`, ...changeLines(differences)].join("\n"));
  for (const { diff: text } of differences) if (text) print(`\n${painted(text, options)}`);
  const hidden = differences.filter(({ diff: text, path }) => text === undefined && path !== "");
  if (npx) note("skills-lock.json has one hash for all files, so the files that changed are not known.");
  else if (hidden.length > 0) {
    const lines = hidden.map(({ path, locked_sha256: sha256 }) =>
      sha256 === undefined ? `  ${visiblePath(path)}` : `  ${visiblePath(path)}  locked as ${sha256}`,
    );
    note(
      `No text to compare for ${hidden.length === 1 ? "this file" : "these files"}: not a small text file, or locked on another machine.\n${lines.join("\n")}`,
    );
  }
  note(`"knack lock ${name}" accepts the skill as it is now.`);
}

/** The lines of a diff as they are, with what a terminal could obey or hide written out. */
function painted(text: string, options: GlobalOptions): string {
  const paint = painter(options);
  return escapeControlInText(text.trimEnd())
    .split("\n")
    .map((line) => {
      if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line);
      if (line.startsWith("+")) return paint("green", line);
      if (line.startsWith("-")) return paint("red", line);
      return line.startsWith("@@") ? paint("cyan", line) : line;
    })
    .join("\n");
}
