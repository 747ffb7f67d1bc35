import { piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { START } from "../words.ts";

const HOW_OFTEN = [
  "per|more|only|in|and|for|every|each|again|an?\\s+(?:day|week|month|year|session|quarter)",
];
/** The start of a condition, up to its verb. */
const WHEN = piece`\bwhen(?:ever)?\b[^.;,]{0,60}?`;
const BECOMES = piece`\b(?:is|are|gets?|becomes?|turns?|looks?|comes?\s+back)\s+(?:(?:all|both|fully|finally|now)\s+){0,2}`;
const DONE = ["done|complete|completed|finished|green|clean|merged|approved|passing"];
/** Participles that can also describe something unfinished ("written in Rust"), unless the clause ends with them. */
const MAYBE_DONE = [
  "accepted|closed|committed|deployed|fixed|implemented|in place|landed|over|published|pushed|ready|released",
  "resolved|reviewed|saved|shipped|signed off|tested|verified|written",
];
const CLAUSE_ENDS = piece`(?=\s*(?:[.,;:)|]|$|—)|\s+(?:you|we|then|always|use|run|invoke)\b)`;
const HAS_DONE = ["finished|completed|passed|succeeded|merged|approved|ended|landed|shipped|closed"];
const PASSES = ["pass(?:es)?|finish(?:es)?|completes|succeeds?|lands|merges|(?:you|we)\\s+complete"];
const PHASE = piece`${START}(?:(?:step|phase|stage)\s+[\w.]+\W+)?`;

/** Words that delay a skill until something is done. */
export const LATER = rulesIn("en", [
  {
    id: "after",
    effect: "later",
    when: { text: /\bafter(?:wards?)?\b(?!-)/i },
    matches: ["After implementing, you MUST run `code-review`."],
    rejects: ["For after-hours work, you MUST run `code-review`."],
  },
  {
    id: "once",
    effect: "later",
    when: { text: re`\bonce\b(?=\s+[\w[\x60])(?!\s+${HOW_OFTEN}\b)(?<!\bat once)` },
    matches: ["Once merged, you must run `/code-review`."],
    rejects: ["You MUST run /code-review once per session."],
  },
  {
    id: "when-done",
    effect: "later",
    when: {
      text: /\bwhen\s+(?:[\w-]+\s+){0,3}(?:done|finished|completed?)(?=\s*(?:[.,;:)|]|$|—|-))/i,
    },
    matches: ["When done, always use the code-review skill."],
    rejects: ["When a done list exists, always use the code-review skill."],
  },
  {
    id: "when-it-is-done",
    effect: "later",
    when: { text: re`${WHEN}${BECOMES}${DONE}\b` },
    matches: ["When the review is clean, use `code-review`.", "You MUST use `code-review` when CI is green."],
    rejects: ["When the build is not green, you MUST use `code-review`."],
  },
  {
    id: "when-it-is-deployed",
    effect: "later",
    when: { text: re`${WHEN}${BECOMES}${MAYBE_DONE}${CLAUSE_ENDS}` },
    matches: ["When the fix is deployed, you MUST use `code-review`."],
    rejects: ["When the service is written in Rust, you MUST use `code-review`."],
  },
  {
    id: "when-it-has-finished",
    effect: "later",
    when: { text: re`${WHEN}(?:\bhas|\bhave|['’]ve)\s+(?:been\s+)?${HAS_DONE}\b` },
    matches: ["When you've finished, you MUST use `code-review`."],
    rejects: ["When you've started, you MUST use `code-review`."],
  },
  {
    id: "when-it-passes",
    effect: "later",
    when: { text: re`${WHEN}\b${PASSES}\b` },
    matches: ["When everything passes, you MUST use `/code-review`."],
    rejects: ["When everything fails, you MUST use `/code-review`."],
  },
  {
    id: "if-it-passes",
    effect: "later",
    when: { text: re`\bif\b[^.;,]{0,60}?(?:\b(?:pass(?:es|ed)?|succeed(?:s|ed)?)\b|${BECOMES}${DONE}\b)` },
    matches: ["If all tests pass, you MUST use `code-review`."],
    rejects: ["If the tests fail, you MUST use `code-review`."],
  },
  {
    id: "at-the-end",
    effect: "later",
    when: {
      text: /\bat the (?:very )?end\b(?!\s+of\s+(?:(?:a|the|each|every)\s+)?(?:file|line|page|message)\b)/i,
    },
    matches: ["At the end of the task, you MUST use `code-review`."],
    rejects: ["At the start of the task, you MUST use `code-review`."],
  },
  {
    id: "finish-by",
    effect: "later",
    when: { text: /\b(?:finish|end)\s+(?:by|with)\s+(?:running|using|invoking|calling|a\s)/i },
    matches: ["Finish by running `code-review`; it is required."],
    rejects: ["Begin by running `code-review`; it is required."],
  },
  {
    id: "on-completion",
    effect: "later",
    when: { text: /\b(?:up)?on\s+(?:success|completion|approval|merge)\b/i },
    matches: ["Upon completion, the code-review skill must be used."],
    rejects: ["Upon a request, the code-review skill must be used."],
  },
  {
    id: "as-soon-as",
    effect: "later",
    when: { text: /\bas soon as\b/i },
    matches: ["As soon as the tests pass, run `/code-review`."],
    rejects: ["As soon as possible."],
  },
  {
    id: "following-approval",
    effect: "later",
    when: { text: /\bfollowing\s+(?:(?:the|a)\s+)?(?:completion|approval|merge|release|deployment)\b/i },
    matches: ["Following approval, you must request `code-review` again."],
    rejects: ["Following the guide, you must request `code-review` again."],
  },
  {
    id: "as-the-last-step",
    effect: "later",
    when: { text: /\bas the (?:next|last|final) step\b/i },
    matches: ["As the final step you must use `code-review`."],
    rejects: ["As the first step you must use `code-review`."],
  },
  {
    id: "transition-to",
    effect: "later",
    when: { text: /\btransition(?:s|ing)?\s+to\b/i },
    matches: ["You MUST transition to the `code-review` skill."],
    rejects: ["You MUST go to the `code-review` skill."],
  },
  {
    id: "done-then",
    effect: "later",
    when: {
      before: re`\b(?:completed?|done|finished)\b[\s;:,.—–→-]{1,4}(?:then\s+)?(?:hand(?:ing)?\s+off|proceed|continue|run|use|invoke|transition|move)\b[^.;|]*$`,
    },
    matches: ["Work complete; hand off to `code-review`."],
    rejects: ["Work begins; hand off to `code-review`."],
  },
  {
    id: "after-title",
    effect: "later-title",
    when: { text: re`${PHASE}(?:after\b|once\b|finish(?:ing)?\b|wrap-?up|completion\b|next\b|post-)` },
    matches: [
      "## After the design\n\n- Invoke the code-review skill",
      "## Wrap-up\n\nYou MUST run `code-review`.",
    ],
    rejects: ["## Before the design\n\n- Invoke the code-review skill"],
  },
  {
    id: "when-done-title",
    effect: "later-title",
    when: { text: re`${PHASE}when\b.*\b(?:${DONE}|pass(?:es|ed)?)\b` },
    matches: ["## When finished\n\nYou must always call `code-review`."],
    rejects: ["## When asked\n\nYou must always call `code-review`."],
  },
  {
    id: "handoff-title",
    effect: "later-title",
    when: { text: /\bhand-?offs?\b/i },
    matches: ["## Execution handoff\n\nYou MUST use `code-review`."],
    rejects: ["## Execution\n\nYou MUST use `code-review`."],
  },
  {
    id: "next-steps-title",
    effect: "later-title",
    when: { text: /\bnext\s+(?:steps?|stages?|phases?|skills?)\b|\bdownstream\b/i },
    matches: ["## The next steps\n\nYou MUST run `code-review`."],
    rejects: ["## The first steps\n\nYou MUST run `code-review`."],
  },
  {
    id: "after-completion-title",
    effect: "later-title",
    when: { text: /\bafter\b.*\b(?:completes?|completed|done|finish(?:es|ed)?|saved|saving)\b/i },
    matches: ["## Right after it is saved\n\nYou MUST run `code-review`."],
    rejects: ["## Right before it is saved\n\nYou MUST run `code-review`."],
  },
  {
    id: "on-success-title",
    effect: "later-title",
    when: { text: /\b(?:up)?on\s+(?:success|completion)\b/i },
    matches: ["## What to do on success\n\nYou MUST run `code-review`."],
    rejects: ["## What to do on failure\n\nYou MUST run `code-review`."],
  },
  {
    id: "runs-what-is-listed",
    effect: "runs-listed",
    when: { text: /\b(?:runs?|use|invokes?|calls?|hands?\s+off|proceed|continue)\b/i },
    matches: ["When all is done, run:\n\n- `code-review`"],
    rejects: ["When all is done, think of:\n\n- `code-review`"],
  },
]);
