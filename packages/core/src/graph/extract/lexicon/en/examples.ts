import { piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";

const EXAMPLES = ["examples?|templates?|samples?|anti-?patterns?|boilerplate|red flags|rationalizations?"];
const WRITE_THIS = [
  "templates?|headers?|outputs?|formats?|write|include|paste|copy|respond|reply|say|announce|messages?|prompts?",
  "tell|starts? with|begins? with|report|looks? like|as in",
];
/** "when the user says": a case, unlike "people think". */
const NOT_IN_CASE = piece`(?<!\b(?:if|when|whenever|whatever|what|as|once|until|unless)\s(?:the\s|an?\s|your\s)?)`;

/** Text in a skill that is an example, not a statement. */
export const EXAMPLE_RULES = rulesIn("en", [
  {
    id: "example-title",
    effect: "example-title",
    when: { text: re`\b${EXAMPLES}\b` },
    matches: ["## Examples\n\nYou MUST use the code-review skill."],
    rejects: ["## Exams\n\nYou MUST use the code-review skill."],
  },
  {
    id: "good-or-bad-title",
    effect: "example-title",
    when: { text: /^\W*(?:(?:an?|the|this)\s+)?(?:bad|good|wrong|poor)\b/i },
    matches: ["## A bad way\n\nYou MUST use `code-review`."],
    rejects: ["## A way\n\nYou MUST use `code-review`."],
  },
  {
    id: "template-lead-in",
    effect: "template-lead",
    when: { text: re`\b${WRITE_THIS}\b` },
    matches: ["Every plan has this header:\n\n> REQUIRED SUB-SKILL: Use ns:code-review"],
    rejects: ["Every plan knows this:\n\n> REQUIRED SUB-SKILL: Use ns:code-review"],
  },
  {
    id: "example-tag",
    effect: "example-tag",
    when: {
      text: /^(?:good|bad|examples?|template|sample|output|commentary|blockquote|details|pre|code|q)$/i,
    },
    matches: ["<Good>\n\nYou MUST use the code-review skill.\n\n</Good>"],
    rejects: ["<IMPORTANT>\n\nYou MUST use the code-review skill.\n\n</IMPORTANT>"],
  },
  {
    id: "what-people-say",
    effect: "shown",
    when: {
      text: re`${NOT_IN_CASE}\b(?:people|users?|others?|someone|they)\s+(?:(?:may|might|will|often|sometimes)\s+)?(?:say|think|believe|claim|assume)s?\b`,
    },
    matches: ["Some people say you must use `code-review`."],
    rejects: ["When users say so, you must use `code-review`."],
  },
  {
    id: "good-or-bad-label",
    effect: "shown",
    when: {
      text: /^\W*(?:good|bad|examples?|wrong|right|correct|incorrect)\s*(?:\([^)]*\)\s*)?[:：]/i,
    },
    matches: ["- Wrong: You MUST use `code-review`"],
    rejects: ["- Wrongs: You MUST use `code-review`"],
  },
  {
    id: "what-was-said-before",
    effect: "shown",
    when: { text: /\bused to (?:say|tell|ask|require|think|be|have)\b/i },
    matches: ["I used to tell authors that they must read `code-review`."],
    rejects: ["I tell authors that they must read `code-review`."],
  },
  {
    id: "for-example",
    effect: "instance",
    when: { before: /(?:\be\.g\.|\bfor example\b|\bfor instance\b)[^)）]*$/i },
    matches: ["For example, you must use `code-review`."],
    rejects: ["Look (for example), you must use `code-review`."],
  },
]);
