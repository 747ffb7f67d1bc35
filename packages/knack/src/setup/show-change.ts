import { cut } from "../terminal/text-width.ts";
import { visiblePath } from "../terminal/visible.ts";

/** Longer lines are cut. */
const MAX_WIDTH = 160;
/** Lines between the first and the last change, on both sides; more are not compared. */
const MAX_LINES = 2_000;

interface Hunk {
  /** Of the first line, in the old text. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * The lines that change, with the number of the first. Nothing around them: that may have other servers' keys in it, and what a
 * terminal shows is often kept.
 */
export function showChange(before: string, after: string): string[] {
  return hunksOf(linesOf(before), linesOf(after)).flatMap((hunk) => {
    const { removed, added } = withinLine(hunk);
    const show = (sign: string, lines: readonly string[]): string[] =>
      lines.map((line) => sign + visiblePath(cut(hideToken(line), MAX_WIDTH)));
    return [`@@ line ${hunk.line} @@`, ...show("-", removed), ...show("+", added)];
  });
}

/** Of one line that becomes another, what differs. */
function withinLine(hunk: Hunk): Hunk {
  const [[old = "", ...moreOld], [now = "", ...moreNow]] = [hunk.removed, hunk.added];
  if (hunk.removed.length === 0 || hunk.added.length === 0 || moreOld.length + moreNow.length > 0)
    return hunk;
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const part = (line: string): string[] => {
    const text = line.slice(start, line.length - end);
    return text === "" ? [] : [`${start > 0 ? "…" : ""}${text}${end > 0 ? "…" : ""}`];
  };
  return { line: hunk.line, removed: part(old), added: part(now) };
}

function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function hunksOf(old: readonly string[], now: readonly string[]): Hunk[] {
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start++;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && isSame(old[oldEnd - 1], now[nowEnd - 1])) {
    oldEnd--;
    nowEnd--;
  }
  const [left, right] = [old.slice(start, oldEnd), now.slice(start, nowEnd)];
  if (Math.max(left.length, right.length) > MAX_LINES)
    return [{ line: start + 1, removed: [`${left.length} lines`], added: [`${right.length} lines`] }];
  return hunksBetween(left, right, start + 1);
}

/** By the longest sequence of lines that stay. */
function hunksBetween(old: readonly string[], now: readonly string[], line: number): Hunk[] {
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

/** Whether a line stays. One that only gets or loses its comma is somebody else's. */
function isSame(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && (a === `${b},` || b === `${a},`));
}

/** The token is in files that only the user can read; it does not belong on a screen. A reference to it does. */
function hideToken(line: string): string {
  return line.replaceAll(/Bearer (?![$<{])[^"']+/g, "Bearer <token>");
}
