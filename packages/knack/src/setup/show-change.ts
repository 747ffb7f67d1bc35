import { cut } from "../terminal/text-width.ts";
import { visiblePath } from "../terminal/visible.ts";

/** Longer lines are cut around what changes: a file may be one line of a megabyte. */
const MAX_WIDTH = 160;

/**
 * The lines that change, with the number of the first. No lines around them: those may have other servers' keys in them, and
 * what a terminal shows is often kept.
 */
export function showChange(before: string, after: string, secret: string | undefined): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  // A line that only gets or loses its comma is somebody else's.
  const [first = "", other = ""] = [old[start], now[start]];
  if (end < Math.min(old.length, now.length) - start && (other === `${first},` || first === `${other},`))
    start++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const shared =
    removed.length === 1 && added.length === 1 ? sharedStart(removed[0] ?? "", added[0] ?? "") : 0;
  const show = (sign: string, lines: readonly string[]): string[] =>
    lines.map((line) => sign + visiblePath(shorten(hide(line, secret), shared)));
  return [`@@ line ${start + 1} @@`, ...show("-", removed), ...show("+", added)];
}

function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function sharedStart(a: string, b: string): number {
  let place = 0;
  while (place < a.length && a[place] === b[place]) place++;
  return place;
}

function shorten(line: string, from: number): string {
  if (line.length <= MAX_WIDTH) return line;
  return from > 20 ? `…${cut(line.slice(from - 20), MAX_WIDTH)}` : cut(line, MAX_WIDTH);
}

/** The token is in a file that only the user can read; it does not belong on a screen. */
function hide(line: string, secret: string | undefined): string {
  return secret ? line.replaceAll(secret, "<token>") : line;
}
