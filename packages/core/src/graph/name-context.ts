import { lexicon, type Why } from "./lexicon/lexicon.ts";
import type { Fact, Parts } from "./lexicon/rule.ts";
import type { Passage, Sentence } from "./passages.ts";
import type { FoundReference } from "./references.ts";

/** Words further from the name than this do not count. */
const REACH = 800;

/** The text around a group of names. */
export class NameContext implements Parts {
  readonly before: string;
  readonly after: string;
  readonly clause: string;
  readonly rest: string;
  readonly whole: string;
  /** The sentences after it, if its item begins with the skill. */
  readonly tail: string;
  /** The text after the sentence. */
  readonly next: string;
  /** The rule by which the sentence says to use it. */
  readonly directive: Why;
  /** Whether its item, row or heading begins with it. */
  readonly isHead: boolean;
  readonly isRow: boolean;
  readonly facts: ReadonlySet<Fact>;
  readonly segment: string;
  readonly own: string;
  readonly first: FoundReference;

  constructor(passage: Passage, sentence: Sentence, first: FoundReference, last: FoundReference) {
    const { text, kind } = passage;
    const { start, end } = sentence;
    this.first = first;
    this.before = text.slice(Math.max(start, first.start - REACH), first.start);
    this.after = text.slice(last.end, Math.min(end, last.end + REACH));
    this.whole = text.slice(start, Math.min(end, start + 2 * REACH));
    this.clause = clauseBefore(this.before);
    this.segment = segmentBefore(this.before);
    this.rest = /^[^;|；]*/.exec(this.after)?.[0] ?? "";
    this.own = /^[^，,；;]*/.exec(this.rest)?.[0] ?? "";
    this.isHead = kind !== "text" && isFirstOf(passage, first);
    this.isRow = kind === "row";
    this.tail = this.isHead && kind === "item" ? text.slice(end) : "";
    this.next = this.isRow ? "" : text.slice(end, end + REACH);
    this.directive =
      lexicon.why("directs", this) ?? lexicon.why("hands-over", this) ?? lexicon.why("directs-after", this);
    const facts = new Set<Fact>();
    if (this.directive) facts.add("directive");
    if (first.isMarked) facts.add("marked");
    if (!/^\w+$/.test(first.name)) facts.add("hyphenated");
    this.facts = facts;
  }

  get reach(): string | null {
    return reachOfModal(this.clause)?.text ?? null;
  }
}

function isFirstOf({ text, kind }: Passage, { start }: FoundReference): boolean {
  const lead = text.slice(0, start);
  return kind === "row"
    ? /^(?:\s*\|[^|A-Za-z]*)+$/.test(lead)
    : /^[\s\W\d]*$/.test(lead.replace(/^\[[ xX]\]/, ""));
}

const CLAUSE_END =
  /[;|；(（]|—|–|\s-\s|→|[:：](?=\s)|[，]|,\s+(?=(?:but|instead|use|run|invoke|load|call|see|always|never|do not|don't|you must)\b)/gi;

/** From the last start of a clause. A list with commas is one clause. */
function clauseBefore(before: string): string {
  let from = 0;
  for (const { index, 0: end } of before.matchAll(CLAUSE_END)) from = index + end.length;
  return before.slice(from);
}

/** From the last end of a clause, not counting commas and colons. */
function segmentBefore(before: string): string {
  let from = 0;
  for (const { index } of before.matchAll(/[;；|，]|—|\s-\s/g)) from = index + 1;
  return before.slice(from);
}

/** Removes asides between commas: "must, when in doubt, use". */
export function withoutAsides(clause: string): string {
  return clause.replaceAll(
    /,\s*(?:before|when|if|after|while|in|at|on|for|under|without|regardless|whatever|however|as|by)\b[^,]*,/gi,
    " ",
  );
}

/** A Japanese clause ends in a verb: "…を使い、". */
const VERB_END = /(?<=[いてしりみきちぎ])、/;

/** The last Japanese or Chinese clause; text before an open bracket does not apply to what is in it. */
export function cjkClauseBefore(before: string): string {
  const segment = segmentBefore(before);
  const open = /[(（]([^()（）]*)$/.exec(segment)?.[1] ?? segment;
  return open.split(VERB_END).at(-1) ?? "";
}

/** The first Japanese or Chinese clause: in "必ず x を使い、y は使わない" the second clause is only about y. */
export function cjkClauseAfter(rest: string): string {
  return /^.*?(?:[，]|(?<=[いてしりみきちぎ])、)/.exec(rest)?.[0] ?? rest;
}

/** What follows the last requiring word ("must", "always") of a text, within its reach. */
export function reachOfModal(text: string) {
  const modal = lexicon.last("modal", text);
  // "if you have to use x" is only a possibility.
  const weak = lexicon.last("weak-modal", text, (before) => !lexicon.says("doubt", before));
  const last = !modal || (weak && weak.match.index > modal.match.index) ? weak : modal;
  if (!last) return null;
  const reach = text.slice(last.match.index + last.match[0].length);
  if (lexicon.says("ends-modal", reach.replace(/[:：]\W*$/, ""))) return null;
  return { rule: last.rule.id, text: reach };
}

/** Whether a group of names is inside a quotation with more than the names. */
export function isGroupQuoted(
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
