import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import type { Fact, Parts } from "../lexicon/rule.ts";
import type { FoundReference } from "../references/reference.ts";
import type { Passage } from "../text/passages.ts";
import type { Sentence } from "../text/sentences.ts";
import { clauseAfter, clauseBefore, segmentBefore, upToComma } from "./clauses.ts";
import { type Reach, reachOfModal } from "./modals.ts";

/** Words further from the name than this do not count. */
const REACH = 800;

/** The text around a group of names, by distance. Most rules need little of it. */
export class Said implements Parts {
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
  readonly first: FoundReference;
  readonly #lexicon: Lexicon;
  #segment: string | undefined;
  #own: string | undefined;
  #reach: Reach | null | undefined;

  constructor(
    passage: Passage,
    sentence: Sentence,
    first: FoundReference,
    last: FoundReference,
    lexicon: Lexicon,
  ) {
    const { text, kind } = passage;
    const { start, end } = sentence;
    this.#lexicon = lexicon;
    this.first = first;
    this.before = text.slice(Math.max(start, first.start - REACH), first.start);
    this.after = text.slice(last.end, Math.min(end, last.end + REACH));
    this.whole = text.slice(start, Math.min(end, start + 2 * REACH));
    this.clause = clauseBefore(this.before);
    this.rest = clauseAfter(this.after);
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

  get segment(): string {
    this.#segment ??= segmentBefore(this.before);
    return this.#segment;
  }

  get own(): string {
    this.#own ??= upToComma(this.rest);
    return this.#own;
  }

  get modal(): Reach | null {
    if (this.#reach === undefined) this.#reach = reachOfModal(this.clause, this.#lexicon);
    return this.#reach;
  }

  get reach(): string | null {
    return this.modal?.text ?? null;
  }
}

/** Whether it is the first thing in its item, row or heading. */
function isFirstOf({ text, kind }: Passage, { start }: FoundReference): boolean {
  const lead = text.slice(0, start);
  return kind === "row"
    ? /^(?:\s*\|[^|A-Za-z]*)+$/.test(lead)
    : /^[\s\W\d]*$/.test(lead.replace(/^\[[ xX]\]/, ""));
}
