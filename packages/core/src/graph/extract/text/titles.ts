import type { Lexicon, Why } from "../lexicon/lexicon.ts";

/** What headings and lead-ins say that matters before a sentence is read. */

const LONGEST_TITLE = 400;
const LONGEST_EXAMPLE_TITLE = 120;

/** "Examples": what is under it is not said by the skill. */
export function titleOfExamples(title: string, lexicon: Lexicon): Why {
  return title.length < LONGEST_EXAMPLE_TITLE ? lexicon.says("example-title", title) : null;
}

/** "Required skills", "You MUST use these skills:": what is listed under it is required. */
export function listsRequired(title: string, lexicon: Lexicon): Why {
  if (title.length >= LONGEST_TITLE || lexicon.says("not-required-title", title)) return null;
  return lexicon.says("lists-required", title);
}
