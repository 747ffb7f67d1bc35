import type { FoundReference } from "../references/reference.ts";
import type { Sentence } from "../text/sentences.ts";

/** Whether a group of names is inside a quotation with more than the names. */
export function isQuoted(
  text: string,
  { start, end }: Sentence,
  first: FoundReference,
  last: FoundReference,
): boolean {
  const name = last.end - first.start;
  const room = name + 10;
  const before = text.slice(start, first.start);
  for (const [open, close] of ["“”", "「」", "『』", "‘’"] as const) {
    const from = before.lastIndexOf(open!);
    if (from < 0 || before.indexOf(close!, from) >= 0) continue;
    const to = text.indexOf(close!, last.end);
    // A full stop inside a quotation ends the sentence before the quotation ends.
    const isDense = /[\u3040-\u30ff\u4e00-\u9fff]{3}/.test(before.slice(from));
    if (to >= 0 && to <= end && to - (start + from) > (isDense ? name + 4 : room)) return true;
  }
  const single = /(?:^|[\s(:])'(?=\S)[^']*$/.exec(before);
  const closing = /^[^']{0,200}'(?=[\s,.;:)!?]|$)/.exec(text.slice(last.end, end));
  if (single && closing && last.end + closing[0].length - (start + single.index) > room) return true;
  const quotes = before.split('"').length - 1;
  if (quotes % 2 === 0) return false;
  const to = text.indexOf('"', last.end);
  return (to < 0 || to > end ? end : to) - (start + before.lastIndexOf('"')) > room;
}
