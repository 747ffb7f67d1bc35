import type { Passage } from "../text/passages.ts";
import { segmentBefore } from "./clauses.ts";
import type { Said } from "./is-required.ts";
import { isInOrder } from "./titles.ts";
import { LABEL, LATER_CLAUSE, LATER_START, LATER_TITLE } from "./words.ts";

/** "Work complete; hand off to " */
const DONE_THEN =
  /\b(?:completed?|done|finished)\b[\s;:,.—–→-]{1,4}(?:then\s+)?(?:hand(?:ing)?\s+off|proceed|continue|run|use|invoke|transition|move)\b[^.;|]*$/i;

/** "…, use this to", "| Invoke after …": an instruction about the skill that an item or row begins with. */
const OF_HEAD =
  /\b(?:use|run|invoke|load|call)\s+(?:this|it)\b|^\W*\|\W*(?:always\s+)?(?:use|run|invoke|load|call|trigger)\b/i;

/** Whether an item or row tells when the skill that it begins with is to be used, and that is later. */
export function isHeadToldLater({ after, isHead }: Said): boolean {
  return isHead && OF_HEAD.test(after) && LATER_CLAUSE.test(/^\W*[^|]*/.exec(after)?.[0] ?? "");
}

/** "After the tests pass, …", "use x after your draft"; `until` ends where the sentence names another skill. */
export function isSaidLater({ before, clause, rest, until }: Said & { readonly until: string }): boolean {
  if (LATER_START.test(before) || LATER_START.test(segmentBefore(before))) return true;
  if (LATER_CLAUSE.test(clause) || DONE_THEN.test(before)) return true;
  if (LATER_CLAUSE.test(LABEL.exec(before)?.[0] ?? "")) return true;
  const near = rest.length <= until.length ? rest : until;
  return LATER_CLAUSE.test(/^[^,(（]*/.exec(near)?.[0] ?? "");
}

/** By what stands above; a step that is required there, "in order", comes after those before it. */
export function isLaterStep({ leadIns, headings, step }: Passage, isInheritedStep: boolean): boolean {
  const [heading = ""] = headings;
  if (leadIns.some((lead) => LATER_TITLE.test(lead) || LATER_START.test(lead))) return true;
  if (LATER_TITLE.test(heading)) return true;
  return isInheritedStep && (step ?? 0) > 0 && [leadIns[0] ?? "", heading].some(isInOrder);
}

/** "When all is done, run:" */
export function laterListed(leadIn = ""): boolean {
  const verb = /\b(?:runs?|use|invokes?|calls?|hands?\s+off|proceed|continue)\b/i;
  return (LATER_TITLE.test(leadIn) || LATER_START.test(leadIn)) && verb.test(leadIn);
}
