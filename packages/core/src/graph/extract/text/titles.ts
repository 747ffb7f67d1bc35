import type { Lexicon, Why } from "../lexicon/lexicon.ts";

/** What headings and lead-ins say about the text below them. */

const LONGEST_TITLE = 400;
const LONGEST_EXAMPLE_TITLE = 120;

/** "Examples": text below it is not a statement of the skill. */
export function titleOfExamples(title: string, lexicon: Lexicon): Why {
  return title.length < LONGEST_EXAMPLE_TITLE ? lexicon.says("example-title", title) : null;
}

/** "Required skills", "You MUST use these skills:": skills listed below it are required. */
export function listsRequired(title: string, lexicon: Lexicon): Why {
  if (title.length >= LONGEST_TITLE || lexicon.says("not-required-title", title)) return null;
  return lexicon.says("lists-required", title);
}
