import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import type { Passage } from "../text/passages.ts";
import { listsRequired } from "../text/titles.ts";
import { reachOfModal } from "./modals.ts";

const LONGEST_TITLE = 400;

/** The rules by which a list's lead-in or the heading requires a skill. */
export function inheritedFrom(passage: Passage, isStep: boolean, isHead: boolean, lexicon: Lexicon): Why {
  const { headings, leadIns, kind } = passage;
  const [heading = ""] = headings;
  const [leadIn] = leadIns;
  const isListed = isHead && kind !== "heading";
  if (leadIn !== undefined) {
    const why =
      (isListed ? listsRequired(leadIn, lexicon) : null) ??
      (isStep ? requiresSteps(leadIn, true, lexicon) : null);
    if (why) return why;
  }
  const listed = listsRequired(heading, lexicon);
  if (!listed && lexicon.says("aside", heading)) return null;
  if (isListed && listed && (leadIn === undefined || leadsOn(leadIn, lexicon))) return listed;
  return isStep ? requiresSteps(heading, false, lexicon) : null;
}

/** "Load and follow them:" under a heading that requires; the heading applies to the list too. */
function leadsOn(leadIn: string, lexicon: Lexicon): boolean {
  return !lexicon.says("leads-elsewhere", leadIn) && lexicon.says("leads-on", leadIn) !== null;
}

/** "Safety protocol (ALWAYS follow)": instructions below it are required. */
function requiresSteps(title: string, isLeadIn: boolean, lexicon: Lexicon): Why {
  if (title.length >= LONGEST_TITLE || lexicon.says("not-required-title", title)) return null;
  const why =
    lexicon.why("must-word", { near: title }) ??
    lexicon.says("lists-required", title) ??
    lexicon.says("steps-required", title);
  if (why) return why;
  if (!isLeadIn) return lexicon.says("loud-title", title);
  const reach = reachOfModal(title, lexicon);
  const isToDo = reach && lexicon.says("to-do", reach.text.replace(/[:：]\W*$/, ""));
  return isToDo ? [reach.rule] : null;
}
