import { outlineOf } from "../markdown/outline.ts";
import type { Comparison, Edit } from "./edit.ts";

const MAX_SECTIONS = 100;
const MAX_NAMED = 5;

/** The headings that changed lines stand under, in the order of the right text, then those that only the left has. */
export function changedSections(left: string, right: string, edits: readonly Edit[]): string[] {
  const sections = new Set<string>();
  const inRight = sectionFinder(right);
  for (const { rightAt, added } of edits) for (const name of inRight(rightAt, added)) sections.add(name);
  const inLeft = sectionFinder(left);
  for (const { leftAt, removed } of edits) {
    if (removed > 0) for (const name of inLeft(leftAt, removed)) sections.add(name);
  }
  return [...sections].slice(0, MAX_SECTIONS);
}

/** Asked in rising order: the sections that so many lines from there on belong to; of none, the one they would be in. */
function sectionFinder(text: string): (at: number, count: number) => string[] {
  const { headings } = outlineOf(text, 0);
  let next = 0;
  return (at, count) => {
    while ((headings[next]?.line ?? Number.POSITIVE_INFINITY) <= at) next++;
    const from = next - 1;
    const names = count > 0 || from >= 0 ? [headings[from]?.text ?? ""] : [];
    for (let index = next; (headings[index]?.line ?? Number.POSITIVE_INFINITY) < at + count; index++) {
      names.push(headings[index]?.text ?? "");
    }
    return names.filter((name) => name !== "");
  };
}

/** "3 lines added, 1 removed in 2 places; section ‘Risks’ changed". */
export function summarize(
  { edits, approximate }: Comparison,
  counts: { readonly added: number; readonly removed: number },
  sections: readonly string[],
  onlyLineEnds: boolean,
): string {
  const where = edits.length === 1 ? "in 1 place" : `in ${edits.length} places`;
  const parts = [`${lines(counts)} ${where}`];
  if (onlyLineEnds) parts.push("only line ends differ");
  if (sections.length > 0) parts.push(`${named(sections)} changed`);
  if (approximate) parts.push("some parts differ so much that they are shown as replaced");
  return parts.join("; ");
}

function lines({ added, removed }: { readonly added: number; readonly removed: number }): string {
  const noun = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);
  if (removed === 0) return `${noun(added)} added`;
  if (added === 0) return `${noun(removed)} removed`;
  return `${noun(added)} added, ${removed} removed`;
}

function named(sections: readonly string[]): string {
  const quoted = sections.slice(0, MAX_NAMED).map((name) => `‘${name}’`);
  const more = sections.length > MAX_NAMED ? ` and ${sections.length - MAX_NAMED} more` : "";
  return `${sections.length === 1 ? "section" : "sections"} ${quoted.join(", ")}${more}`;
}
