import { clauseAfter, clauseBefore, isNegated, isQuoted } from "./clauses.ts";
import type { EdgeType } from "./edge.ts";
import { isShown } from "./not-said.ts";
import type { Passage } from "./passages.ts";
import type { Found } from "./reference.ts";
import type { Sentence } from "./sentences.ts";
import { isAside, isChoice, isInOrder, isNotHere, requiresListed, requiresSteps } from "./titles.ts";
import {
  BETWEEN,
  CJK_MUST,
  CJK_VERB,
  DIRECTIVE_END,
  HANDING_END,
  JAPANESE_DIRECTIVE,
  LABEL,
  LATER_CLAUSE,
  LATER_START,
  LATER_TITLE,
  MODAL,
  REQUIRED_AFTER,
  REQUIRED_OF_HEAD,
} from "./words.ts";

/** "use x or an equivalent": there is another way, though no skill. */
const OR_MORE =
  /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:,?\s*or\s+(?!else\b)|または|もしくは|あるいは|或者?|或是)/i;

/** References that one sentence says the same of: "a and b", "a or b". */
export interface Group {
  readonly found: readonly Found[];
  readonly isChoice: boolean;
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
  const before = text.slice(sentence.start, first.start);
  const after = text.slice(last.end, sentence.end);
  const mention: Typed = { type: "reference_only", alternative: group.isChoice };
  const whole = text.slice(sentence.start, sentence.end);
  if (passage.isExample || group.found.some(({ isCode, isFile }) => isCode || isFile)) return mention;
  if (isShown(whole) || isQuoted(text, sentence, first, last)) return mention;
  const [heading = ""] = passage.headings;
  if (isNotHere(heading) || passage.leadIns.some(isNotHere)) return mention;

  const clause = clauseBefore(before);
  const rest = clauseAfter(after);
  const isInsisted =
    /\b(?:never|do not|don't|must not)\s+(?:ever\s+)?(?:skip|omit|bypass|forget|waive)\b/i.test(clause);
  if (!isInsisted && isNegated(clause, rest)) return mention;

  const isDirective =
    DIRECTIVE_END.test(before) || HANDING_END.test(clause) || JAPANESE_DIRECTIVE.test(after);
  const isHead = passage.kind !== "text" && isFirstOf(passage, first);
  const isOwn =
    isInsisted ||
    isRequired({ before, clause, after, rest, isDirective, isHead, isRow: passage.kind === "row", first });
  const isBranch = isConditional(before) || isConditional(passage.leadIns[0] ?? "");
  const required = isOwn || (!isConditional(before) && isInherited(passage, isDirective, isHead));
  const alternative =
    group.isChoice ||
    OR_MORE.test(after) ||
    /\beither\b/i.test(clause) ||
    passage.leadIns.slice(0, 1).some(isChoice);
  const isSoon = isSaidLater(before, clause, rest);
  const isNext = isSoon || isLaterStep(passage, required && !isOwn);
  if (isNext) {
    const isTold =
      (isDirective && !(isBranch && !isSoon) && !isOptional(whole)) ||
      (isHead && laterListed(passage.leadIns[0]));
    const isMeant = required || (isTold && !isAside(heading) && !isAside(passage.leadIns[0] ?? ""));
    return isMeant ? { type: "requires_later", alternative } : { ...mention, alternative };
  }
  return required ? { type: "requires_now", alternative } : { ...mention, alternative };
}

interface Said {
  readonly before: string;
  readonly clause: string;
  readonly after: string;
  readonly rest: string;
  readonly isDirective: boolean;
  readonly isHead: boolean;
  readonly isRow: boolean;
  readonly first: Found;
}

/** Whether the sentence itself requires it. */
function isRequired({ before, clause, after, rest, isDirective, isHead, isRow, first }: Said): boolean {
  const label = LABEL.exec(before)?.groups;
  if (label && (label.kind || isDirective)) return true;
  if (isTold(clause, isDirective)) return true;
  // "the manifest from x (required)": that is said of the manifest.
  const isOfOther = /\b(?:from|by|of|see)\s+\W?$/i.test(before);
  if (first.isMarked && REQUIRED_AFTER.some((pattern, at) => (at === 0 || !isOfOther) && pattern.test(after)))
    return true;
  if (isHead && REQUIRED_OF_HEAD.some((pattern) => pattern.test(isRow ? after : rest + after))) return true;
  if (isDirective && /[(,—]\s*always\b(?!\s+(?:be|have)\b)/i.test(rest)) return true;
  if (first.isMarked && /\brequires?\s+(?:(?:the|sibling|skill)\s+)*["'“(]?$/i.test(clause)) return true;
  const near = `${clause} ${/^[^，,；;]*/.exec(rest)?.[0] ?? ""}`;
  return CJK_MUST.test(near) && CJK_VERB.test(near);
}

/** "must … use the x": the modal reaches the verb, and the verb the name. */
function isTold(clause: string, isDirective: boolean): boolean {
  const plain = clause.replaceAll(/,\s*(?:before|when|if|after|while)\b[^,]*,/gi, " ");
  let at = -1;
  for (const { index, 0: modal } of plain.matchAll(MODAL)) at = index + modal.length;
  if (at < 0) return false;
  const reach = plain.slice(at);
  return !BETWEEN.test(reach) && (isDirective || HANDING_END.test(reach) || DIRECTIVE_END.test(reach));
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
    (isListed && leadIn === undefined && requiresListed(heading)) ||
    (isDirective && requiresSteps(heading, false))
  );
}

/** "After the tests pass, …", "use x after your draft" */
function isSaidLater(before: string, clause: string, rest: string): boolean {
  if (LATER_START.test(before) || LATER_CLAUSE.test(clause)) return true;
  return LATER_CLAUSE.test(/^[^,(（]*/.exec(rest)?.[0] ?? "");
}

/** By what stands above; a step that is required there, "in order", comes after those before it. */
function isLaterStep({ leadIns, headings, step }: Passage, isInheritedStep: boolean): boolean {
  const [heading = ""] = headings;
  if (leadIns.some((lead) => LATER_TITLE.test(lead) || LATER_START.test(lead))) return true;
  if (LATER_TITLE.test(heading)) return true;
  return isInheritedStep && (step ?? 0) > 0 && [leadIns[0] ?? "", heading].some(isInOrder);
}

/** "When all is done, run:" */
function laterListed(leadIn = ""): boolean {
  const verb = /\b(?:runs?|use|invokes?|calls?|hands?\s+off|proceed|continue)\b/i;
  return (LATER_TITLE.test(leadIn) || LATER_START.test(leadIn)) && verb.test(leadIn);
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
