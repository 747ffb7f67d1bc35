import { exact, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { REQUIRED, START, USE } from "../words.ts";

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
export const TITLES = rulesIn("en", [
  {
    id: "called-by-title",
    effect: "reversed",
    when: { text: re`${START}${CALLED}\s+(?:by|from)\b` },
    matches: ["## Called by\n\n- **code-review**"],
    rejects: ["## Calls\n\n- **code-review**"],
  },
  {
    id: "parent-skill-title",
    effect: "reversed",
    when: { text: re`${START}(?:parent|calling|caller|upstream)\s+skills?\b` },
    matches: ["## Parent skill\n\n- **code-review**"],
    rejects: ["## Child skill\n\n- **code-review**"],
  },
  {
    id: "callers-title",
    effect: "reversed",
    when: { text: re`${START}callers?\s*[:：]?$` },
    matches: ["## Callers\n\n- **code-review**"],
    rejects: ["## Callers must know\n\n- **code-review**"],
  },
  {
    id: "related-title",
    effect: "aside",
    when: { text: re`\b${ASIDES}\b` },
    matches: ["## Integration (ALWAYS)\n\n- Use `code-review` for it"],
    rejects: ["## Workflow (ALWAYS)\n\n- Use `code-review` for it"],
  },
  {
    id: "when-not-to-use-title",
    effect: "not-here",
    when: { text: /\b(?:when not to|not to use|do not use|don't use|not for|out of scope|never)\b/i },
    matches: ["## When NOT to use\n\n- You must use `code-review` for that"],
    rejects: ["## When to use\n\n- You must use `code-review` for that"],
  },
  {
    id: "choose-one-title",
    effect: "choice-title",
    when: { text: /\beither\b|\bone of\b|\bchoose\b|\bpick one\b|\bwhichever\b|\boptions?\b/i },
    matches: ["You MUST use one of these:\n\n- `code-review`\n- `write-tests`"],
    rejects: ["You MUST use all of these:\n\n- `code-review`\n- `write-tests`"],
  },
  {
    id: "if-chosen-title",
    effect: "choice-title",
    when: { text: /\bif\b.*\b(?:chosen|selected|chose(?!\s+["“']?(?:yes|no)\b)|picked|preferred)\b/i },
    matches: ["**If the first is chosen:**\n\n- **REQUIRED SUB-SKILL:** Use ns:code-review"],
    rejects: ["**If the first is broken:**\n\n- **REQUIRED SUB-SKILL:** Use ns:code-review"],
  },
  {
    id: "requires-title",
    effect: "lists-required",
    when: { text: re`${START}requires?\s*(?:[:：(（]|$)` },
    matches: ["### Requires\n\n- **`code-review`** - for every diff"],
    rejects: ["### Requires nothing\n\n- **`code-review`** - for every diff"],
  },
  {
    id: "must-be-loaded-title",
    effect: "lists-required",
    when: { text: /\bmust\s+(?:all\s+|already\s+)?be\s+(?:loaded|read|invoked|used|run)\b/i },
    matches: ["It builds on these, which must be loaded:\n\n- `code-review`"],
    rejects: ["It builds on these, which may be loaded:\n\n- `code-review`"],
  },
  {
    id: "required-skills-title",
    effect: "lists-required",
    when: { text: re`${REQUIRED}(?:\s+\w+){0,2}\W*(?:sub-?)?(?:skills?|background|reading)\b` },
    matches: ["## Required skills\n\n- code-review"],
    rejects: ["## Required inputs\n\n- code-review"],
  },
  {
    id: "skills-required-title",
    effect: "lists-required",
    when: { text: re`skills?\W{1,3}(?:are\s+|is\s+)?\(?${REQUIRED}` },
    matches: ["The following skills are required:\n\n1. `code-review`"],
    rejects: ["The following skills are nice:\n\n1. `code-review`"],
  },
  {
    id: "must-use-title",
    effect: "lists-required",
    when: { text: re`\b(?:must|always)\b[^.]{0,60}\b${USE}\b` },
    matches: ["You MUST use these skills:\n\n- `code-review` for quality"],
    rejects: ["You MUST know these skills:\n\n- `code-review` for quality"],
  },
  {
    id: "required-title-label",
    effect: "steps-required",
    when: { text: re`${START}(?:required|mandatory|must)\s*[:：—–]` },
    matches: ["## Required: a look\n\nRun `code-review` on it."],
    rejects: ["## Wanted: a look\n\nRun `code-review` on it."],
  },
  {
    id: "is-mandatory-title",
    effect: "steps-required",
    when: { text: re`\b(?:is|are)\s+${REQUIRED}\b` },
    matches: ["## This part is mandatory\n\nRun `code-review` on it."],
    rejects: ["## This part is nice\n\nRun `code-review` on it."],
  },
  {
    id: "mandatory-steps-title",
    effect: "steps-required",
    when: { text: re`${REQUIRED}\W+(?:\w+\W+){0,2}${STEPS}\b` },
    matches: ["### Mandatory first step\n\nRun the `code-review` skill."],
    rejects: ["### Mandatory fields\n\nRun the `code-review` skill."],
  },
  {
    id: "required-in-brackets-title",
    effect: "steps-required",
    when: { text: re`\((?:[^()]*\W)?(?:required|mandatory|always|must)(?:\W[^()]*)?\)` },
    matches: ["## Step 0 (required): gather\n\nInvoke `code-review` with it."],
    rejects: ["## Step 0 (optional): gather\n\nInvoke `code-review` with it."],
  },
  {
    id: "loud-title",
    effect: "loud-title",
    when: { text: exact`\b(?:MUST|ALWAYS|MANDATORY)\b(?!\s+(?:NOT|not|be|have|exist))` },
    matches: ["## MUST DO\n\n- Follow code-review patterns"],
    rejects: ["## MUST NOT DO\n\n- Follow code-review patterns"],
  },
  {
    id: "not-required-title",
    effect: "not-required-title",
    when: { text: /\b(?:not|never|no|isn't|without)\b[^.]{0,20}\b(?:required|mandatory|must)\b/i },
    matches: ["No required skills, but nice:\n\n- `code-review`"],
    rejects: ["The required skills:\n\n- `code-review`"],
  },
  {
    id: "must-not-title",
    effect: "not-required-title",
    when: { text: /\b(?:must|required)\s+(?:not|never)\b/i },
    matches: ["You must not always run:\n\n- `code-review`"],
    rejects: ["You must always run:\n\n- `code-review`"],
  },
  {
    id: "if-required-title",
    effect: "not-required-title",
    when: { text: /\bif\s+required\b/i },
    matches: ["## If required skills\n\n- `code-review`"],
    rejects: ["## Required skills\n\n- `code-review`"],
  },
  {
    id: "nothing-after-must",
    effect: "to-do",
    when: { text: /^\W*$/ },
    matches: ["You must:\n\n- Run `code-review`"],
    rejects: ["The list must exist:\n\n- Run `code-review`"],
  },
  {
    id: "something-to-do-after-must",
    effect: "to-do",
    when: { text: re`^\W*(?:\w+\W+){0,3}${TO_DO}\b` },
    matches: ["You must do this:\n\n- Run `code-review`"],
    rejects: ["The list must exist:\n\n- Run `code-review`"],
  },
  {
    id: "in-order",
    effect: "in-order",
    when: { text: /\bin\s+(?:this\s+)?order\b|\bsequen/i },
    matches: ["You MUST do these in order:\n\n1. Think.\n2. Invoke the code-review skill."],
    rejects: ["You MUST do these:\n\n1. Think.\n2. Invoke the code-review skill."],
  },
  {
    id: "lead-in-goes-on",
    effect: "leads-on",
    when: { text: re`\b${["load|use|invoke|follow|read|run|call|these|following|delegated"]}\b` },
    matches: ["## Required skills\n\nLoad them before each phase:\n\n- `code-review`"],
    rejects: ["## Required skills\n\nThe phases:\n\n- `code-review`"],
  },
  {
    id: "lead-in-only-if",
    effect: "leads-elsewhere",
    when: {
      text: /\b(?:if|when|needed|optional\w*|may|can|only|either|one of|choose|depending|not|never)\b/i,
    },
    matches: ["## Required skills\n\nLoad one only when a phase needs it:\n\n- `code-review`"],
    rejects: ["## Required skills\n\nLoad them before each phase:\n\n- `code-review`"],
  },
]);
