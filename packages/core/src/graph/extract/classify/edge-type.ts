import type { EdgeType } from "../edge.ts";
import type { Found } from "../references/reference.ts";
import type { Passage } from "../text/passages.ts";
import type { Sentence } from "../text/sentences.ts";
import { clauseAfter, clauseBefore, isNegated, isQuoted, segmentBefore } from "./clauses.ts";
import { isInstance, isShown } from "./examples.ts";
import { isInsisted } from "./is-insisted.ts";
import { isHeadToldLater, isLaterStep, isSaidLater, laterListed } from "./is-later.ts";
import { isRequired } from "./is-required.ts";
import { isAside, isChoice, isNotHere, leadsOn, requiresListed, requiresSteps } from "./titles.ts";
import { DIRECTIVE_END, HANDING_END, JAPANESE_DIRECTIVE, MEANS_END } from "./words.ts";

/** "use x or an equivalent": there is another way, though no skill. */
const OR_MORE =
  /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:,?\s*or\s+(?!else\b)|または|もしくは|あるいは|或者?|或是)/i;

/** "one of", in the words around the names. */
const CHOICE_HERE =
  /\b(?:either|(?:one|any)\s+of(?!\s+its\b)|whichever)\b|いずれか|どちらか|任选|任選|其一|二选一|二選一|任意一个|任一/i;
/** No word decides about a name that is further away, whatever stands between them. */
const REACH = 800;

/** References that one sentence says the same of: "a and b", "a or b". */
export interface Group {
  readonly found: readonly Found[];
  readonly isChoice: boolean;
  /** Where the next group of the sentence begins. */
  readonly next?: number;
}

export interface Typed {
  readonly type: EdgeType;
  readonly alternative: boolean;
}

/** What a sentence says of the skills that a group of it names. Without a word that requires them it is a mention. */
export function typeOf(group: Group, sentence: Sentence, passage: Passage): Typed {
  const { text } = passage;
  const first = group.found[0]!;
  const last = group.found.at(-1)!;
  const before = text.slice(Math.max(sentence.start, first.start - REACH), first.start);
  const after = text.slice(last.end, Math.min(sentence.end, last.end + REACH));
  const mention: Typed = { type: "reference_only", alternative: group.isChoice };
  const whole = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 2 * REACH));
  if (passage.isExample || group.found.some(({ isCode, isFile }) => isCode || isFile)) return mention;
  if (
    isShown(whole) ||
    isInstance(before) ||
    /[?？][^\w]*$/.test(whole) ||
    isQuoted(text, sentence, first, last)
  )
    return mention;
  const [heading = ""] = passage.headings;
  if (isNotHere(heading) || passage.leadIns.some(isNotHere)) return mention;

  const clause = clauseBefore(before);
  const rest = clauseAfter(after);
  const insisted = isInsisted(clause, rest);
  if (!insisted && isNegated(clause, rest)) return mention;

  const isDirective =
    DIRECTIVE_END.test(before) || HANDING_END.test(clause) || JAPANESE_DIRECTIVE.test(after);
  const isHead = passage.kind !== "text" && isFirstOf(passage, first);
  const isRow = passage.kind === "row";
  // What follows in the item is said of the skill that it begins with.
  const tail = isHead && passage.kind === "item" ? text.slice(sentence.end) : "";
  const next = passage.kind === "row" ? "" : text.slice(sentence.end, sentence.end + REACH);
  const said = {
    before,
    clause,
    after,
    rest,
    tail,
    next,
    isDirective,
    isHead,
    isRow,
    header: passage.header,
    first,
  };
  const isOwn = insisted || isRequired(said);
  const isBranch = isConditional(before) || isConditional(passage.leadIns[0] ?? "");
  const isStep = isDirective || (first.isMarked && MEANS_END.test(before));
  const required = isOwn || (!isConditional(before) && isInherited(passage, isStep, isHead));
  const alternative =
    group.isChoice ||
    OR_MORE.test(after) ||
    CHOICE_HERE.test(`${segmentBefore(before)} ${/^[^，,；;]*/.exec(rest)?.[0] ?? ""}`) ||
    passage.leadIns.slice(0, 1).some(isChoice);
  const isToldOfHead = isHeadToldLater(said);
  const isSoon =
    isToldOfHead ||
    isSaidLater({
      ...said,
      until: group.next === undefined ? rest : text.slice(last.end, group.next),
    });
  const isNext = isSoon || isLaterStep(passage, required && !isOwn);
  if (isNext) {
    const isTold =
      ((isDirective || isToldOfHead) && !(isBranch && !isSoon) && !isOptional(whole)) ||
      (isHead && laterListed(passage.leadIns[0]));
    const isMeant = required || (isTold && !isAside(heading) && !isAside(passage.leadIns[0] ?? ""));
    return isMeant ? { type: "requires_later", alternative } : { ...mention, alternative };
  }
  return required ? { type: "requires_now", alternative } : { ...mention, alternative };
}

/** Whether the list's lead-in or the heading requires it. */
function isInherited({ headings, leadIns, kind }: Passage, isDirective: boolean, isHead: boolean): boolean {
  const [heading = ""] = headings;
  const [leadIn] = leadIns;
  const isListed = isHead && kind !== "heading";
  if (
    leadIn !== undefined &&
    ((isListed && requiresListed(leadIn)) || (isDirective && requiresSteps(leadIn, true)))
  )
    return true;
  if (isAside(heading) && !requiresListed(heading)) return false;
  return (
    (isListed && (leadIn === undefined || leadsOn(leadIn)) && requiresListed(heading)) ||
    (isDirective && requiresSteps(heading, false))
  );
}

/** One branch of several: what is required above holds where the condition does. */
function isConditional(text: string): boolean {
  return /^[\s\W\d]*(?:if|when|whenever|otherwise|unless|for)\b|\bif\b|\botherwise\b|→|[-=]>|[(（][^()（）]*$|もし|場合|如果|若/i.test(
    text,
  );
}

function isOptional(sentence: string): boolean {
  return /\boptional(?:ly)?\b|任意|可选|可選|オプション/i.test(sentence);
}

/** The first thing of its item, row or heading. */
function isFirstOf({ text, kind }: Passage, { start }: Found): boolean {
  const lead = text.slice(0, start);
  return kind === "row"
    ? /^(?:\s*\|[^|A-Za-z]*)+$/.test(lead)
    : /^[\s\W\d]*$/.test(lead.replace(/^\[[ xX]\]/, ""));
}
