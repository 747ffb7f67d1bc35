import { exact, piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { USED } from "../words.ts";

const OPENING_QUOTE = piece`["'“「『]?$`;
const CLOSING_QUOTE = piece`^["'”’」』)\]]{0,2}`;
/** "a skill (recommended) …" between two names. */
const BRACKET = piece`(?:\s*skills?)?(?:\s*\([^()]{0,40}\))?\s*`;
/** The end of the first of two names, and the beginning of the second. */
export const NAME_ENDS = piece`^["'”’」』\x60)\]]{0,2}(?:\s*skills?\b)?(?:\s*[(（][^()（）]{0,40}[)）])?\s*`;
export const NAME_BEGINS = piece`["'“「『\x60([]{0,2}$`;
/** Words after which a hyphenated word is a name. */
export const POINTERS = ["see(?:\\s+also)?:?|cf\\.|via|from|by|with|to"];

/** Words around a name that show that it is a skill. */
export const REFERENCES = rulesIn("en", [
  {
    id: "skill-after-name",
    effect: "skill-word-after",
    when: { after: re`${CLOSING_QUOTE}(?:'s|’s)?\s{0,2}(?:sub-?)?skills?\b` },
    matches: ["What the code-review skill knows."],
    rejects: ["What the code-review knows."],
  },
  {
    id: "skill-before-name",
    effect: "skill-word-before",
    when: { before: re`\bskills?:?\s{1,2}["'“「『(]?$` },
    matches: ["There is a skill code-review too."],
    rejects: ["There is a code-review too."],
  },
  {
    id: "background-label-before-name",
    effect: "skill-word-before",
    when: { before: re`\b(?:background|reading|prerequisites?):\s{1,2}["'“「『(]?$` },
    matches: ["Background: code-review"],
    rejects: ["Background of a code-review"],
  },
  {
    id: "see-name",
    effect: "reference",
    when: { before: re`\b${POINTERS}\s{0,2}${OPENING_QUOTE}` },
    matches: ["For more see code-review.", "See also code-review."],
    rejects: ["For more we have a code-review."],
  },
  {
    id: "until-name-has-run",
    effect: "reference",
    when: {
      before: re`\b(?:before|after|until|unless|once|when)\s+(?:the\s+)?${OPENING_QUOTE}`,
      after: /^["'”’」』]?\s+(?:has|have|is|runs|completes|finishes|passes|returns)\b/i,
    },
    matches: ["Wait until code-review has run."],
    rejects: ["Wait until code-review day."],
  },
  {
    id: "name-must-be-run",
    effect: "must-be-run",
    when: { after: re`^\s(?:must|has to)\s(?:always\s)?(?:be\s${USED}|run)\b` },
    matches: ["In any case code-review must be used."],
    rejects: ["In any case code-review must be fun."],
  },
  {
    id: "and-joins-names",
    effect: "joins",
    when: {
      between: re`${CLOSING_QUOTE}${BRACKET}(?:,\s*)?(?:and|or|then|&|\+)\s+(?:the\s+)?${OPENING_QUOTE}`,
    },
    matches: ["Use `write-tests` and code-review for it."],
    rejects: ["Use `write-tests` for a code-review."],
  },
  {
    id: "and",
    effect: "and",
    when: {
      between: re`${NAME_ENDS}(?:,\s*which\s[^,.;]{1,60})?(?:,\s*)?(?:and|then|&|\+|plus)\s*(?:then\s+|the\s+|use\s+)*${NAME_BEGINS}`,
    },
    matches: ["Always use `code-review` and `write-tests`."],
    rejects: ["Always use `code-review`; see `write-tests`."],
  },
  {
    id: "or",
    effect: "or",
    when: {
      between: re`${NAME_ENDS}(?:(?:,\s*)?(?:or(?:\s+else)?|and\/or)(?:,\s*if\s[^,.;]{1,40},)?|\/)\s*(?:with\s+|the\s+|use\s+|uses\s+)*${NAME_BEGINS}`,
    },
    matches: ["You MUST use `code-review` or `write-tests`."],
    rejects: ["You MUST use `code-review` and `write-tests`."],
  },
  {
    id: "unlike-name-comma",
    effect: "set-apart",
    when: {
      before: /^\W*(?:unlike|besides|like|after|before|once|when|with|for|from|in|as with)\b[^,]*$/i,
      between: /^\W*,\s*\W*$/,
    },
    matches: ["Unlike `code-review`, `write-tests` is required."],
    rejects: ["Here `code-review`, `write-tests` are required."],
  },
  {
    id: "placeholder-name",
    effect: "placeholder",
    when: {
      text: /^(?:my|your|the|this|that|some|other|another|example|sample|test|foo|xxx)-|-(?:name|here|example)$|^skill-/i,
    },
    matches: ["See the `my-new-thing` skill."],
    rejects: ["See the `new-thing` skill."],
  },
  {
    id: "former-skill",
    effect: "former-skill",
    when: { before: /\b(?:formerly|replace[sd]?|former|absorbs?)\b[^.;]{0,40}$/i },
    matches: ["This skill replaces the `old-query` skill."],
    rejects: ["This skill calls the `old-query` skill."],
  },
  {
    id: "loud-must-use-one-word",
    effect: "one-word-name",
    when: {
      before: exact`\bMUST\s+(?:use|invoke|load|follow|run)\s+(?:the\s+)?$`,
      after: /^\s*(?:[.!;]|$|first\b|before\b)/i,
    },
    matches: ["You MUST use testing before you go on."],
    rejects: ["You must use testing before you go on.", "You MUST use testing tools."],
  },
  {
    id: "see-one-word",
    effect: "one-word-name",
    when: { before: /\b(?:see(?:\s+also)?|invok(?:e|ing))\s+(?:the\s+)?\W?$/i },
    needs: ["marked"],
    matches: ["See `testing`."],
    rejects: ["Have `testing`."],
  },
  {
    id: "see-the-one-word-skill",
    effect: "points-to-skill",
    when: { before: /\b(?:see|via)\s+the\s+$/i },
    matches: ["It is done via the testing skill."],
    rejects: ["It is about the testing skill."],
  },
  {
    id: "run-or-check-one-word",
    effect: "program-word",
    when: { before: /\b(?:run|running|execute|call|check|set|read|open)\s+(?:the\s+)?\W?$/i },
    matches: ["Always run `testing` before you add to the cart."],
    rejects: ["Always use `testing` before you add to the cart."],
  },
  {
    id: "nothing-more-is-said-of-word",
    effect: "goes-on",
    when: {
      after:
        /^\W{0,3}\s*(?:[.,;:!?)、。，；]|$|(?:first|before|for|to|in|on|at|when|whenever|as|and|now|here|again|until|if|skills?)\b|[^\x00-\x7f])/i,
    },
    matches: ["You must use `testing`."],
    rejects: ["You MUST use the `testing` endpoint."],
  },
  {
    id: "must-or-always-here",
    effect: "must-here",
    when: { text: /\bmust\b(?!\s*(?:not|never)\b)|\balways\b/i },
    matches: ["Always use `testing`."],
    rejects: ["Do use `testing`."],
  },
]);
