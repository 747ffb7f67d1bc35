import type { Edit } from "./edit.ts";
import type { TextLines } from "./text-lines.ts";

const CONTEXT = 3;
const SAME = Buffer.from(" ");
const REMOVED = Buffer.from("-");
const ADDED = Buffer.from("+");
const UNENDED = Buffer.from("\n\\ No newline at end of file\n");

/** Edits as every tool for patches reads them, piece by piece. */
export function* unifiedDiff(
  left: TextLines,
  right: TextLines,
  edits: readonly Edit[],
  names: { readonly left: string; readonly right: string } = { left: "left", right: "right" },
): Generator<Buffer> {
  if (edits.length === 0) return;
  yield Buffer.from(`--- ${names.left}\n+++ ${names.right}\n`);
  for (const group of grouped(edits)) yield* hunk(left, right, group);
}

/** Edits that are so near that their context would meet are one hunk. */
function* grouped(edits: readonly Edit[]): Generator<Edit[]> {
  let group: Edit[] = [];
  for (const edit of edits) {
    const last = group.at(-1);
    if (last && edit.leftAt - (last.leftAt + last.removed) > 2 * CONTEXT) {
      yield group;
      group = [];
    }
    group.push(edit);
  }
  yield group;
}

function* hunk(left: TextLines, right: TextLines, edits: readonly Edit[]): Generator<Buffer> {
  const first = edits[0];
  const last = edits.at(-1);
  if (!first || !last) return;
  const lead = Math.min(CONTEXT, first.leftAt);
  const trail = Math.min(CONTEXT, left.count - (last.leftAt + last.removed));
  const leftStart = first.leftAt - lead;
  const leftCount = last.leftAt + last.removed + trail - leftStart;
  const rightStart = first.rightAt - lead;
  const rightCount = last.rightAt + last.added + trail - rightStart;
  yield Buffer.from(`@@ -${span(leftStart, leftCount)} +${span(rightStart, rightCount)} @@\n`);
  let at = leftStart;
  for (const { leftAt, removed, rightAt, added } of edits) {
    for (; at < leftAt; at++) yield* marked(SAME, left.line(at));
    for (; at < leftAt + removed; at++) yield* marked(REMOVED, left.line(at));
    for (let index = rightAt; index < rightAt + added; index++) yield* marked(ADDED, right.line(index));
  }
  for (; at < leftStart + leftCount; at++) yield* marked(SAME, left.line(at));
}

function span(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

function* marked(mark: Buffer, line: Buffer): Generator<Buffer> {
  yield mark;
  yield line;
  if (line.at(-1) !== 0x0a) yield UNENDED;
}
