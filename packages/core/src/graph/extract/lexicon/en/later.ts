import { piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { START } from "../words.ts";

const HOW_OFTEN = [
  "per|more|only|in|and|for|every|each|again|an?\\s+(?:day|week|month|year|session|quarter)",
];
const PHASE = piece`${START}(?:(?:step|phase|stage)\s+[\w.]+\W+)?`;

/** Words that put a skill off until something is done. */
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
    when: {
      text: /\bwhen\b[^.;,]{0,60}\b(?:is|are)\s+(?:all\s+)?(?:done|complete|finished|green|merged|approved|passing)\b/i,
    },
    matches: ["When the build is green, you MUST use `code-review`."],
    rejects: ["When the build is slow, you MUST use `code-review`."],
  },
  {
    id: "when-it-has-finished",
    effect: "later",
    when: {
      text: /\bwhen\b[^.;,]{0,60}\b(?:has|have)\s+(?:been\s+)?(?:finished|completed|passed|succeeded|merged|approved|ended)\b/i,
    },
    matches: ["When the build has finished, `code-review` must be run."],
    rejects: ["When the build has started, `code-review` must be run."],
  },
  {
    id: "when-it-passes",
    effect: "later",
    when: { text: /\bwhen\b[^.;,]{0,60}\bpass(?:es)?\b/i },
    matches: ["When everything passes, you MUST use `/code-review`."],
    rejects: ["When everything fails, you MUST use `/code-review`."],
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
    when: { text: /\b(?:up)?on\s+(?:success|completion)\b/i },
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
    when: { text: /\bfollowing\s+(?:completion|approval)\b/i },
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
    when: { text: re`${PHASE}when\b.*\b(?:done|completed?|finished|clean|approved|pass(?:es|ed)?)\b` },
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
