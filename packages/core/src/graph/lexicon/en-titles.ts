import { exact, piece, REQUIRED, type Rule, re, rule, START, USE, USED } from "./rule.ts";

const CALLED = [
  "called|used|invoked|triggered|loaded|required|consumed|dispatched|depended\\s+on|referenced",
];
const ASIDES = [
  "related|see also|references?|when not to|not to use|do not use|don't use|not for|out of scope|limitations?",
  "instead|companions?|works? with|pairs? with|integrat\\w+",
];
const STEPS = ["steps?|workflow|protocol|process|sequence|order|actions?|first"];
const TO_DO = [...USE, "do|complete|execute|perform|create|check|take|work|go|pick|choose|select"];

/** What a heading or a lead-in says of everything under it. */
export const TITLES: readonly Rule[] = [
  rule("called-by-title", "reversed", { text: re`${START}${CALLED}\s+(?:by|from)\b` }),
  rule("parent-skill-title", "reversed", {
    text: re`${START}(?:parent|calling|caller|upstream)\s+skills?\b`,
  }),
  rule("callers-title", "reversed", { text: re`${START}callers?\s*[:：]?$` }),
  rule("related-title", "aside", { text: re`\b${ASIDES}\b` }),
  rule("when-not-to-use-title", "not-here", {
    text: /\b(?:when not to|not to use|do not use|don't use|not for|out of scope|never)\b/i,
  }),
  rule("choose-one-title", "choice-title", {
    text: /\beither\b|\bone of\b|\bchoose\b|\bpick one\b|\bwhichever\b|\boptions?\b/i,
  }),
  rule("if-chosen-title", "choice-title", {
    text: /\bif\b.*\b(?:chosen|selected|chose(?!\s+["“']?(?:yes|no)\b)|picked|preferred)\b/i,
  }),
  rule("requires-title", "lists-required", { text: re`${START}requires?\s*(?:[:：(（]|$)` }),
  rule("must-be-loaded-title", "lists-required", {
    text: /\bmust\s+(?:all\s+|already\s+)?be\s+(?:loaded|read|invoked|used|run)\b/i,
  }),
  rule("required-skills-title", "lists-required", {
    text: re`${REQUIRED}(?:\s+\w+){0,2}\W*(?:sub-?)?(?:skills?|background|reading)\b`,
  }),
  rule("skills-required-title", "lists-required", {
    text: re`skills?\W{1,3}(?:are\s+|is\s+)?\(?${REQUIRED}`,
  }),
  rule("must-use-title", "lists-required", { text: re`\b(?:must|always)\b[^.]{0,60}\b${USE}\b` }),
  rule("required-title-label", "steps-required", { text: re`${START}(?:required|mandatory|must)\s*[:：—–]` }),
  rule("is-mandatory-title", "steps-required", { text: re`\b(?:is|are)\s+${REQUIRED}\b` }),
  rule("mandatory-steps-title", "steps-required", { text: re`${REQUIRED}\W+(?:\w+\W+){0,2}${STEPS}\b` }),
  rule("required-in-brackets-title", "steps-required", {
    text: re`\((?:[^()]*\W)?(?:required|mandatory|always|must)(?:\W[^()]*)?\)`,
  }),
  rule("loud-title", "loud-title", {
    text: exact`\b(?:MUST|ALWAYS|MANDATORY)\b(?!\s+(?:NOT|not|be|have|exist))`,
  }),
  rule("not-required-title", "not-required-title", {
    text: /\b(?:not|never|no|isn't|without)\b[^.]{0,20}\b(?:required|mandatory|must)\b/i,
  }),
  rule("must-not-title", "not-required-title", { text: /\b(?:must|required)\s+(?:not|never)\b/i }),
  rule("if-required-title", "not-required-title", { text: /\bif\s+required\b/i }),
  rule("nothing-after-must", "to-do", { text: /^\W*$/ }),
  rule("something-to-do-after-must", "to-do", { text: re`^\W*(?:\w+\W+){0,3}${TO_DO}\b` }),
  rule("in-order", "in-order", { text: /\bin\s+(?:this\s+)?order\b|\bsequen/i }),
  rule("lead-in-goes-on", "leads-on", {
    text: re`\b${["load|use|invoke|follow|read|run|call|these|following|delegated"]}\b`,
  }),
  rule("lead-in-only-if", "leads-elsewhere", {
    text: /\b(?:if|when|needed|optional\w*|may|can|only|either|one of|choose|depending|not|never)\b/i,
  }),
];

const EXAMPLES = ["examples?|templates?|samples?|anti-?patterns?|boilerplate|red flags|rationalizations?"];
const WRITE_THIS = [
  "templates?|headers?|outputs?|formats?|write|include|paste|copy|respond|reply|say|announce|messages?|prompts?",
  "tell|starts? with|begins? with|report|looks? like|as in",
];
/** "when the user says": a case, unlike "people think". */
const NOT_IN_CASE = piece`(?<!\b(?:if|when|whenever|whatever|what|as|once|until|unless)\s(?:the\s|an?\s|your\s)?)`;

/** Text in a skill that is an example, not a statement. */
export const EXAMPLE_RULES: readonly Rule[] = [
  rule("example-title", "example-title", { text: re`\b${EXAMPLES}\b` }),
  rule("good-or-bad-title", "example-title", {
    text: /^\W*(?:(?:an?|the|this)\s+)?(?:bad|good|wrong|poor)\b/i,
  }),
  rule("template-lead-in", "template-lead", { text: re`\b${WRITE_THIS}\b` }),
  rule("example-tag", "example-tag", {
    text: /^(?:good|bad|examples?|template|sample|output|commentary|blockquote|details|pre|code|q)$/i,
  }),
  rule("what-people-say", "shown", {
    text: re`${NOT_IN_CASE}\b(?:people|users?|others?|someone|they)\s+(?:(?:may|might|will|often|sometimes)\s+)?(?:say|think|believe|claim|assume)s?\b`,
  }),
  rule("good-or-bad-label", "shown", {
    text: /^\W*(?:good|bad|examples?|wrong|right|correct|incorrect)\s*(?:\([^)]*\)\s*)?[:：]/i,
  }),
  rule("what-was-said-before", "shown", { text: /\bused to (?:say|tell|ask|require|think|be|have)\b/i }),
  rule("for-example", "instance", { before: /(?:\be\.g\.|\bfor example\b|\bfor instance\b)[^)）]*$/i }),
];

const OPENING_QUOTE = piece`["'“「『]?$`;
const CLOSING_QUOTE = piece`^["'”’」』)\]]{0,2}`;
/** "a skill (recommended) …" between two names. */
const BRACKET = piece`(?:\s*skills?)?(?:\s*\([^()]{0,40}\))?\s*`;
/** The end of the first of two names, and the beginning of the second. */
export const NAME_ENDS = piece`^["'”’」』\x60)\]]{0,2}(?:\s*skills?\b)?(?:\s*[(（][^()（）]{0,40}[)）])?\s*`;
export const NAME_BEGINS = piece`["'“「『\x60([]{0,2}$`;
/** Words after which a hyphenated word is a name. */
const POINTERS = ["see(?:\\s+also)?:?|cf\\.|via|from|by|with|to"];

/** Words around a name that show that it is a skill. */
export const REFERENCES: readonly Rule[] = [
  rule("skill-after-name", "skill-word-after", {
    after: re`${CLOSING_QUOTE}(?:'s|’s)?\s{0,2}(?:sub-?)?skills?\b`,
  }),
  rule("skill-before-name", "skill-word-before", { before: re`\bskills?:?\s{1,2}["'“「『(]?$` }),
  rule("background-label-before-name", "skill-word-before", {
    before: re`\b(?:background|reading|prerequisites?):\s{1,2}["'“「『(]?$`,
  }),
  rule("see-name", "reference", { before: re`\b${POINTERS}\s{0,2}${OPENING_QUOTE}` }),
  rule("until-name-has-run", "reference", {
    before: re`\b(?:before|after|until|unless|once|when)\s+(?:the\s+)?${OPENING_QUOTE}`,
    after: /^["'”’」』]?\s+(?:has|have|is|runs|completes|finishes|passes|returns)\b/i,
  }),
  rule("name-must-be-run", "must-be-run", {
    after: re`^\s(?:must|has to)\s(?:always\s)?(?:be\s${USED}|run)\b`,
  }),
  rule("and-joins-names", "joins", {
    between: re`${CLOSING_QUOTE}${BRACKET}(?:,\s*)?(?:and|or|then|&|\+)\s+(?:the\s+)?${OPENING_QUOTE}`,
  }),
  rule("and", "and", {
    between: re`${NAME_ENDS}(?:,\s*which\s[^,.;]{1,60})?(?:,\s*)?(?:and|then|&|\+|plus)\s*(?:then\s+|the\s+|use\s+)*${NAME_BEGINS}`,
  }),
  rule("or", "or", {
    between: re`${NAME_ENDS}(?:(?:,\s*)?(?:or(?:\s+else)?|and\/or)(?:,\s*if\s[^,.;]{1,40},)?|\/)\s*(?:with\s+|the\s+|use\s+|uses\s+)*${NAME_BEGINS}`,
  }),
  rule("unlike-name-comma", "set-apart", {
    before: /^\W*(?:unlike|besides|like|after|before|once|when|with|for|from|in|as with)\b[^,]*$/i,
    between: /^\W*,\s*\W*$/,
  }),
  rule("placeholder-name", "placeholder", {
    text: /^(?:my|your|the|this|that|some|other|another|example|sample|test|foo|xxx)-|-(?:name|here|example)$|^skill-/i,
  }),
  rule("former-skill", "former-skill", {
    before: /\b(?:formerly|replace[sd]?|former|absorbs?)\b[^.;]{0,40}$/i,
  }),
  rule("loud-must-use-one-word", "one-word-name", {
    before: exact`\bMUST\s+(?:use|invoke|load|follow|run)\s+(?:the\s+)?$`,
    after: /^\s*(?:[.!;]|$|first\b|before\b)/i,
  }),
  rule("see-one-word", "one-word-name", {
    before: /\b(?:see(?:\s+also)?|invok(?:e|ing))\s+(?:the\s+)?\W?$/i,
    needs: ["marked"],
  }),
  rule("see-the-one-word-skill", "points-to-skill", { before: /\b(?:see|via)\s+the\s+$/i }),
  rule("run-or-check-one-word", "program-word", {
    before: /\b(?:run|running|execute|call|check|set|read|open)\s+(?:the\s+)?\W?$/i,
  }),
  rule("nothing-more-is-said-of-word", "goes-on", {
    after:
      /^\W{0,3}\s*(?:[.,;:!?)、。，；]|$|(?:first|before|for|to|in|on|at|when|whenever|as|and|now|here|again|until|if|skills?)\b|[^\x00-\x7f])/i,
  }),
  rule("must-or-always-here", "must-here", { text: /\bmust\b(?!\s*(?:not|never)\b)|\balways\b/i }),
];
