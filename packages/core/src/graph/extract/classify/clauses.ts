import type { Found } from "../references/reference.ts";
import type { Sentence } from "../text/sentences.ts";
import { CJK_MUST, CJK_NOT } from "./words.ts";

/** From the last place where a new thought begins. A list with commas is one thought. */
export function clauseBefore(before: string): string {
  const ends = before.matchAll(
    /[;|；(（]|—|–|\s-\s|→|[:：](?=\s)|[，]|,\s+(?=(?:but|instead|use|run|invoke|load|call|see|always|never|do not|don't|you must)\b)/gi,
  );
  let from = 0;
  for (const { index, 0: end } of ends) from = index + end.length;
  return before.slice(from);
}

/** From the last end of a thought that no comma or colon makes. */
export function segmentBefore(before: string): string {
  let from = 0;
  for (const { index } of before.matchAll(/[;；|，]|—|\s-\s/g)) from = index + 1;
  return before.slice(from);
}

export function clauseAfter(after: string): string {
  return /^[^;|；]*/.exec(after)?.[0] ?? "";
}

/** "do NOT invoke", "rather than", 不要 */
export function isNegated(said: string, rest: string): boolean {
  const clause = said.replaceAll(/\bwithout\s+(?:exceptions?|fail|delay)\b/gi, "");
  if (
    /(?<![\w-])(?:do not|don't|does not|doesn't|not|never|cannot|can't|won't|no longer|instead of|rather than|avoid|avoids|without|nobody|no one|skip|skips|isn't|aren't|no need)(?![\w-])/i.test(
      clause,
    )
  )
    return true;
  if (
    // "use x, not y" speaks of y.
    /^[^\w,，;]{0,3}(?:skills?\s+)?(?:is|are|does|do|was|must|should|will|can)?\s*(?:not\b|never\b|n['’]t)/i.test(
      rest,
    )
  )
    return true;
  // "必ず x を使い、y は使わない": a clause of its own speaks of something else.
  const own = /^.*?(?:[，]|(?<=[いてしりみきちぎ])、)/.exec(rest)?.[0] ?? rest;
  const isMust = CJK_MUST.test(clause.slice(-30) + own.slice(0, 30));
  const near = `${clause.slice(-30)} ${(isMust ? own : rest).slice(0, 30)}`;
  return CJK_NOT.test(near.replaceAll(/不要な|必要/g, ""));
}

/** In quotation marks with more than the name. */
export function isQuoted(text: string, { start, end }: Sentence, first: Found, last: Found): boolean {
  const name = last.end - first.start;
  const room = name + 10;
  const before = text.slice(start, first.start);
  for (const [open, close] of ["“”", "「」", "『』", "‘’"] as const) {
    const from = before.lastIndexOf(open!);
    if (from < 0 || before.indexOf(close!, from) >= 0) continue;
    const to = text.indexOf(close!, last.end);
    // A full stop inside of the quotation ends the sentence before the quotation ends.
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
