import { diffArrays, structuredPatch } from "diff";
import type { Paint } from "./output.ts";
import { visiblePath } from "./visible.ts";

/** More lines that differ are not compared: that would take minutes. */
const MAX_CHANGES = 4_000;

/**
 * The change of a file as people know it from git, with three lines around each change. What cannot be seen is spelled out, so a tab
 * is `\x09`; line ends are not shown.
 */
export function unifiedDiff(path: string, before: string, after: string, paint: Paint): string[] {
  const patch = structuredPatch(path, path, withLineEnds(before), withLineEnds(after), "", "", {
    context: 3,
    maxEditLength: MAX_CHANGES,
  });
  const hunks = patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${span(oldStart, oldLines)} +${span(newStart, newLines)} @@`,
    ...lines.map(visiblePath),
  ]);
  const shown = hunks ?? ["@@ more changes than can be shown @@"];
  return [`--- ${path}`, `+++ ${path}`, ...shown].map((line) => paintDiffLine(line, paint));
}

export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}

function withLineEnds(text: string): string {
  return `${text.replaceAll("\r\n", "\n").replace(/\n$/, "")}\n`;
}

function span(start: number, count: number): string {
  const first = count === 0 ? start - 1 : start;
  return count === 1 ? String(first) : `${first},${count}`;
}

export interface Hunk {
  /** Of the first line, from 1, in the old text. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function lineHunks(
  old: readonly string[],
  now: readonly string[],
  isSame: (a: string, b: string) => boolean,
): readonly Hunk[] {
  const changes = diffArrays([...old], [...now], { comparator: isSame, maxEditLength: MAX_CHANGES });
  if (!changes) return [{ line: 1, removed: [`${old.length} lines`], added: [`${now.length} lines`] }];
  const hunks: { line: number; removed: string[]; added: string[] }[] = [];
  let [line, isOpen] = [1, false];
  for (const { value, removed, added } of changes) {
    if (!isOpen && (removed || added)) hunks.push({ line, removed: [], added: [] });
    isOpen = removed || added;
    if (removed) hunks.at(-1)?.removed.push(...value);
    else if (added) hunks.at(-1)?.added.push(...value);
    if (!added) line += value.length;
  }
  return hunks;
}
