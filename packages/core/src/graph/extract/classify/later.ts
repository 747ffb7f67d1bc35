import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import { labelBefore } from "../references/label.ts";
import type { Passage } from "../text/passages.ts";
import type { Said } from "./said.ts";

/** An item or row says when to use the skill at its beginning, and that is later. */
export function headToldLater({ after, isHead }: Said, lexicon: Lexicon): Why {
  if (!isHead || !lexicon.says("head-told", after)) return null;
  return lexicon.says("later", /^\W*[^|]*/.exec(after)?.[0] ?? "");
}

/** "After the tests pass, …", "use x after your draft"; `until` is where the sentence names another skill. */
export function saidLater(said: Said, until: string, lexicon: Lexicon): Why {
  const { before, clause, rest } = said;
  const near = rest.length <= until.length ? rest : until;
  return (
    clauseLater(said, lexicon) ??
    lexicon.why("later", { text: clause, before }) ??
    lexicon.says("later", labelBefore(before, lexicon)?.text ?? "") ??
    lexicon.says("later", /^[^,(（]*/.exec(near)?.[0] ?? "") ??
    lexicon.begins("later", LAST_CONDITION.exec(near)?.groups?.condition ?? "")
  );
}

/** "…, when CI is green." and "… (only once it is merged)", but not "…, after which you can rest". */
const LAST_CONDITION =
  /(?:,|[(（])\s*(?:but\s+)?(?:only\s+)?(?<condition>(?:when|once|as soon as)\b[^,()（）]*)(?:[)）]|\W*$)/i;

/** A clause before the name: "In general, when it is clean, use x". */
function clauseLater({ before, segment }: Said, lexicon: Lexicon): Why {
  const own = lexicon.begins("later", before) ?? lexicon.begins("later", segment);
  if (own) return own;
  for (const part of segment.split(/,\s+/).slice(1)) {
    const why = lexicon.begins("later", part);
    if (why) return why;
  }
  // A Chinese clause says at its end that it comes first.
  for (const part of before.split(/[，、；]/).slice(0, -1)) {
    const why = lexicon.says("later-clause", part);
    if (why) return why;
  }
  return null;
}

/** By lead-ins and headings; a required step in an ordered list comes after the steps before it. */
export function laterStep({ leadIns, headings, step }: Passage, isInherited: boolean, lexicon: Lexicon): Why {
  const [heading = ""] = headings;
  for (const lead of leadIns) {
    const why = isForLater(lead, lexicon);
    if (why) return why;
  }
  const title = lexicon.says("later-title", heading);
  if (title || !isInherited || (step ?? 0) === 0) return title;
  return lexicon.says("in-order", leadIns[0] ?? "") ?? lexicon.says("in-order", heading);
}

/** "When all is done, run:" */
export function laterListed(leadIn: string, lexicon: Lexicon): boolean {
  return isForLater(leadIn, lexicon) !== null && lexicon.says("runs-listed", leadIn) !== null;
}

function isForLater(leadIn: string, lexicon: Lexicon): Why {
  return lexicon.says("later-title", leadIn) ?? lexicon.begins("later", leadIn);
}
