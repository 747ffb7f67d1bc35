import type { Paint } from "./output.ts";
import { visiblePath } from "./visible.ts";

/** Lines that stay, before and after a change. */
const CONTEXT = 3;

/**
 * The change of a file as people know it from git, with three lines around each change. What cannot be seen is spelled out, so a tab
 * is `\x09`; line ends are not shown.
 */
export function unifiedDiff(path: string, before: string, after: string, paint: Paint): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = [paint("bold", `--- ${path}`), paint("bold", `+++ ${path}`)];
  let shift = 0;
  for (const group of grouped(lineHunks(old, now))) {
    lines.push(...showGroup(group, old, shift, paint));
    for (const { removed, added } of group) shift += added.length - removed.length;
  }
  return lines;
}

/** A line of a diff that somebody else made, in its colour. */
export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Changes whose surroundings would meet are shown together. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    if (last && hunk.line - (last.line + last.removed.length) <= 2 * CONTEXT) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function showGroup(hunks: readonly Hunk[], old: readonly string[], shift: number, paint: Paint): string[] {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return [];
  const start = Math.max(0, first.line - 1 - CONTEXT);
  const end = Math.min(old.length, last.line - 1 + last.removed.length + CONTEXT);
  const growth = hunks.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  const lines = [
    paint("cyan", `@@ -${span(start, end - start)} +${span(start + shift, end - start + growth)} @@`),
  ];
  const keep = (from: number, to: number): void => {
    for (const line of old.slice(from, to)) lines.push(` ${visiblePath(line)}`);
  };
  let at = start;
  for (const { line, removed, added } of hunks) {
    keep(at, line - 1);
    for (const text of removed) lines.push(paint("red", `-${visiblePath(text)}`));
    for (const text of added) lines.push(paint("green", `+${visiblePath(text)}`));
    at = line - 1 + removed.length;
  }
  keep(at, end);
  return lines;
}

function span(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

/** Lines between the first and the last change, on both sides; more are not compared. */
const MAX_LINES = 2_000;

/** Lines that are replaced by others. */
export interface Hunk {
  /** Of the first line, from 1, in the old text. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

type IsSame = (a: string | undefined, b: string | undefined) => boolean;

const isEqual: IsSame = (a, b) => a === b;

/** What differs between two lists of lines, in order. */
export function lineHunks(
  old: readonly string[],
  now: readonly string[],
  isSame: IsSame = isEqual,
): readonly Hunk[] {
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start++;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && isSame(old[oldEnd - 1], now[nowEnd - 1])) {
    oldEnd--;
    nowEnd--;
  }
  const [left, right] = [old.slice(start, oldEnd), now.slice(start, nowEnd)];
  if (Math.max(left.length, right.length) > MAX_LINES) {
    const [removed, added] = [[`${left.length} lines`], [`${right.length} lines`]];
    return [{ line: start + 1, removed, added }];
  }
  return hunksBetween(left, right, start + 1, isSame);
}

/** By the longest sequence of lines that stay. */
function hunksBetween(old: readonly string[], now: readonly string[], line: number, isSame: IsSame): Hunk[] {
  const lengths = old.map(() => new Uint16Array(now.length + 1)).concat(new Uint16Array(now.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] = isSame(old[i], now[j])
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
  const hunks: Hunk[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; i++, j++) {
    const [from, to] = [i, j];
    while ((i < old.length || j < now.length) && !(i < old.length && isSame(old[i], now[j]))) {
      if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) i++;
      else j++;
    }
    if (i > from || j > to)
      hunks.push({ line: line + from, removed: old.slice(from, i), added: now.slice(to, j) });
  }
  return hunks;
}
