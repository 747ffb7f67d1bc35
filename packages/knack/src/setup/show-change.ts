import { isInside } from "@knack/core/files";
import { cut } from "../terminal/text-width.ts";
import { type Hunk, lineHunks } from "../terminal/unified-diff.ts";
import { visiblePath } from "../terminal/visible.ts";
import type { UserPlace } from "./client-file.ts";

const MAX_WIDTH = 160;

/**
 * The lines that change, with the number of the first. Nothing around them: that may have other servers' keys in it, and what a
 * terminal shows is often kept.
 */
export function showChange(before: string, after: string): string[] {
  return lineHunks(linesOf(before), linesOf(after), isSame).flatMap((hunk) => {
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

/** Whether a line stays. One that only gets or loses its comma is somebody else's. */
function isSame(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && (a === `${b},` || b === `${a},`));
}

/** The token is in files that only the user can read; it does not belong on a screen. A reference to it does. */
function hideToken(line: string): string {
  return line.replaceAll(/Bearer (?![$<{])[^"']+/g, "Bearer <token>");
}

/** A path as people write it, with `~` for their home folder, safe for a screen. */
export function shown(path: string, { home }: Pick<UserPlace, "home">): string {
  return visiblePath(path !== home && isInside(path, home) ? `~${path.slice(home.length)}` : path);
}
