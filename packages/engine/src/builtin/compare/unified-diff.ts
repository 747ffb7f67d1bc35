import type { Edit } from "./edit.ts";

const CONTEXT = 3;

/** The lines of a text, each with its line end. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
}

/** Edits as every tool for patches reads them. */
export function unifiedDiff(
  left: readonly string[],
  right: readonly string[],
  edits: readonly Edit[],
): string {
  if (edits.length === 0) return "";
  const out = ["--- left\n", "+++ right\n"];
  for (const group of grouped(edits)) addHunk(out, left, right, group);
  return out.join("");
}

/** Edits that are so near that their context would meet are one hunk. */
function grouped(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    if (last && edit.leftAt - (last.leftAt + last.removed) <= 2 * CONTEXT) groups.at(-1)?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function addHunk(
  out: string[],
  left: readonly string[],
  right: readonly string[],
  edits: readonly Edit[],
): void {
  const first = edits[0];
  const last = edits.at(-1);
  if (!first || !last) return;
  const lead = Math.min(CONTEXT, first.leftAt);
  const trail = Math.min(CONTEXT, left.length - (last.leftAt + last.removed));
  const leftStart = first.leftAt - lead;
  const leftCount = last.leftAt + last.removed + trail - leftStart;
  const rightStart = first.rightAt - lead;
  const rightCount = last.rightAt + last.added + trail - rightStart;
  out.push(`@@ -${span(leftStart, leftCount)} +${span(rightStart, rightCount)} @@\n`);
  let at = leftStart;
  for (const { leftAt, removed, rightAt, added } of edits) {
    for (; at < leftAt; at++) out.push(marked(" ", left[at]));
    for (; at < leftAt + removed; at++) out.push(marked("-", left[at]));
    for (let index = rightAt; index < rightAt + added; index++) out.push(marked("+", right[index]));
  }
  for (; at < leftStart + leftCount; at++) out.push(marked(" ", left[at]));
}

function span(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

function marked(mark: string, line = ""): string {
  return line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}
