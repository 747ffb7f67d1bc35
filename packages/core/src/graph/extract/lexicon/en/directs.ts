import { exact, piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { OPENING, REQUIRED } from "../words.ts";

const VERBS = [
  "use|uses|using|run|runs|running|re-run|invoke|invokes|invoking|load|loads|loading|call|calls|calling",
  "apply|applying|follow|following|read|reading|activate|activating|execute|executing|trigger|triggering",
  "launch|launching|consult|consulting|understand|complete|completing|dispatch|dispatching|delegate|delegating",
  "route|routing|defer|go|start|begin|switch|perform|cross-reference|reference|refer|adopt|study|hand|hand-off",
  "transition|proceed|continue|pass|point|pointing|check|request|requesting",
];
/** Between a verb and the name: articles and the like, but no new clause. */
const FILL = [
  "the|an?|its|your|our|this|installed|sibling|skill|skills|tool|call|to|into|with|through|via|on|off|by|existing",
  "matching|corresponding|relevant|appropriate|required|full|both|either|first|back|user|explicitly|New|session",
];
const DONE = [
  "used|run|invoked|loaded|called|applied|followed|read|activated|executed|consulted|completed|dispatched",
];
/** "is always read by the": the named skill is the reader. */
const NOT_BY = piece`(?<!\b(?:run|read)\s+by(?:\s+the)?\s+\W{0,3})`;
const HANDING = [
  "hand(?:ing)?(?:\\s+off)?|delegat(?:e|ing)|rout(?:e|ing)|pass(?:ing)?|dispatch(?:ing)?|defer(?:ring)?",
  "point(?:ing)?|send(?:ing)?",
];
/** Agreeing or conflicting with a skill is not using it. */
const LIKENESS = [
  "align\\w*|compatible|consistent|consistency|conflicts?|compar\\w+|match\\w*|agree\\w*|sync|coordinat\\w+",
  "confus\\w+|deals?|familiar|comply|complies|interfere\\w*|overlap\\w*",
];
const BY_NAME = ["used|run|invoked|loaded|called|read|followed|consumed|triggered"];
const COMBINED = ["combined|paired|used|loaded|run|followed"];
const CHECKED = [
  "preceded|checked|reviewed|validated|verified|processed|routed|done|performed|handled|produced|created",
  "generated|made|written|drawn|built|approved|audited|rendered|formatted",
];
const MUST_BE = piece`\b(?:must\s+(?:always\s+)?be|(?:has|have)\s+to\s+be|(?:is|are)\s+always)\s+`;
const TO_NAME = piece`\s+(?:the\s+)?${OPENING}$`;
/** Words of necessity: "it is mandatory that you". */
const NECESSARY = [...REQUIRED, "compulsory|obligatory|essential|imperative|crucial|vital|requirement"];
const NOT_QUITE = ["almost|not|nearly|usually|often|doesn't|n't|wrong to|bad to"];
const modal = (words: string): RegExp => re`(?<!\b${NOT_QUITE}\s+)\b(?:${words})\b(?!\s*(?:not|never)\b)`;

/** Verbs that lead to a name, and the modals ("must") that make them instructions. */
export const DIRECTS = rulesIn("en", [
  {
    id: "verb-before-name",
    effect: "directs",
    when: { before: re`(?<![\w-])${VERBS}(?:\s+${FILL}){0,5}\s+${OPENING}$${NOT_BY}` },
    matches: ["You MUST use code-review.", "Always load the code-review skill."],
    rejects: ["Every report is always read by the code-review skill.", "A code-review must be clean."],
  },
  {
    id: "past-verb-before-name",
    effect: "directs",
    when: { before: re`(?<![\w-])${DONE}(?:\s+(?:the|an?|your|skill)){0,2}\s+${OPENING}$` },
    matches: ["You must have consulted code-review."],
    rejects: ["You must have been called by `code-review`."],
  },
  {
    id: "hand-over-to-name",
    effect: "hands-over",
    when: { clause: re`\b${HANDING}\b[^;:.]{0,90}\bto${TO_NAME}` },
    matches: ["You MUST send the finished design to `code-review`."],
    rejects: ["You MUST send the finished design; `code-review` reads it."],
  },
  {
    id: "step-by-means-of-name",
    effect: "means",
    when: { before: exact`^[\s\W\d]*[A-Z][a-z]+\b[^.;:]{0,120}\b(?:via|using|through|with)${TO_NAME}` },
    matches: ["ALWAYS follow this workflow:\n\n1. List it via the `code-review` skill."],
    rejects: ["ALWAYS follow this workflow:\n\n1. the list; via `code-review`"],
  },
  {
    id: "must-be-done-with-name",
    effect: "by-means-of",
    when: { reach: re`\b(?:with|via|through)${TO_NAME}` },
    unless: { reach: re`^\s+be\b|\b${LIKENESS}\b` },
    needs: ["marked"],
    matches: ["You must record everything with `code-review`."],
    rejects: ["You must coordinate with `code-review`.", "It must be compatible with `code-review`."],
  },
  {
    id: "must-be-made-by-skill",
    effect: "requires",
    when: {
      reach: re`^\s+(?:be|been)\s+(?:\w+ly\s+)?(?!${BY_NAME}\s+by\b)\w+(?:\s+(?:out|up|off|in|down))?\s+(?:with|via|through|by|using|against)${TO_NAME}`,
      after: /^\W{0,3}(?:skills?|スキル|技能)/i,
    },
    unless: { reach: re`\b${LIKENESS}\b` },
    matches: ["Any change must be carried out with the `code-review` skill."],
    rejects: [
      "It must be consumed by the `code-review` skill.",
      "It must be aligned with the code-review skill.",
    ],
  },
  {
    id: "must-be-combined-with",
    effect: "requires",
    when: {
      clause: re`${MUST_BE}${COMBINED}\s+(?:together\s+|along\s+)?(?:with|through|via|using)${TO_NAME}`,
    },
    matches: ["This skill MUST be combined with `code-review`."],
    rejects: ["This skill MUST be confused with `code-review`."],
  },
  {
    id: "must-be-checked-by",
    effect: "requires",
    when: { clause: re`${MUST_BE}${CHECKED}\s+(?:with|by|through|via|using|to)${TO_NAME}` },
    matches: ["Figures are always produced by the code-review skill."],
    rejects: ["Figures are produced by the code-review skill."],
  },
  {
    id: "must",
    effect: "modal",
    when: { text: modal("must|always|shall|required\\s+to") },
    matches: ["You must use `code-review`.", "Always run /code-review."],
    rejects: ["You must not use `code-review`.", "It is almost always: run the `code-review` skill."],
  },
  {
    id: "it-is-mandatory-to",
    effect: "modal",
    when: { text: modal(piece`${NECESSARY}\s+(?:to|that\s+(?:you|we|the\s+agent))`) },
    matches: ["It is essential that you load the code-review skill."],
    rejects: ["It is essential; you load the code-review skill."],
  },
  {
    id: "requires-you-to",
    effect: "weak-modal",
    when: { text: modal("requires?\\s+(?:that\\s+)?(?:you|the\\s+agent)(?:\\s+to)?") },
    matches: ["This workflow requires you to run `code-review` first."],
    rejects: ["This workflow allows you to run `code-review` first."],
  },
  {
    id: "have-to",
    effect: "weak-modal",
    when: { text: modal("(?:has|have)\\s+to") },
    matches: ["You have to use the code-review skill."],
    rejects: ["You don't have to use the code-review skill."],
  },
  {
    id: "if-or-may-before-modal",
    effect: "doubt",
    when: {
      text: /\b(?:if|when|whenever|may|might|could|would|in case|unless|whether|where|what|why|how|who|that|which|for)\b/i,
    },
    matches: ["If you have to use `code-review`, ask first."],
    rejects: ["You have to use `code-review`."],
  },
  {
    id: "conjunction-ends-modal",
    effect: "ends-modal",
    when: {
      text: /\b(?:before|when|while|if|unless|until|after|once|because|so that|which|that|whose|where|since|than)\b/i,
    },
    matches: ["You must read the diff before you use `code-review`."],
    rejects: ["You must read the diff and use `code-review`."],
  },
]);
