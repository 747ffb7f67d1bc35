import { exact, piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { OPENING, REQUIRED, USE } from "../words.ts";

/** Capitalized: "required: yes" inside a sentence is not a label. */
const LABELS = [
  "REQUIRED|MANDATORY|MUST|ALWAYS|REQUIREMENT|PREREQUISITES?|NON-NEGOTIABLE",
  "Required|Mandatory|Requirement|Prerequisites?|Non-negotiable",
];
const KINDS = [
  "SUB-?SKILLS?|sub-?skills?|Sub-?[Ss]kills?|SKILLS?|[Ss]kills?|BACKGROUND|[Bb]ackground|READING|[Rr]eading",
];
const OF_CASE = piece`(?:\s+(?:for|when|after|before|if|once|during|in)\s[^:：.]{1,60}?)?`;
const KIND = piece`(?<kind>(?:\s*(?:NEXT|next))?\s*${KINDS}(?:\s+tool)?(?:\s+(?:call|invocation))?${OF_CASE})?`;
const STEPS = ["ACTION|STEP|CALL|GATE|[Aa]ction|[Ss]tep|[Cc]all|[Gg]ate"];
const FIRST_STEP = piece`(?:\s+(?:FIRST|[Ff]irst))?(?:\s+${STEPS})?\s*(?:\([^()]{0,60}\))?`;
/** "the manifest from `x` (required)": the manifest is required, not x. */
const OF_OTHER = /\b(?:from|by|of|see)\s+\W?$/i;
const AFTER_NAME = piece`^\W{0,2}(?:skills?)?\s*`;

const SUBJECT = ["this|it|that|which|(?:using|doing|running|loading|reading)\\s+(?:it|this|so)"];
const NECESSARY = [
  ...REQUIRED,
  "compulsory|obligatory|non-negotiable|essential|not\\s+(?:optional|negotiable)|a\\s+(?:must|(?:hard\\s+)?requirement)",
];
const BEEN_RUN = [
  "run|ran|executed?|concluded?|completed?|pass(?:ed)?|finish(?:ed)?|loaded|used|invoked|called|followed|applied",
  "active|activated|read|go\\s+first|come\\s+first|precede",
];
const IS_NECESSARY = [
  ...REQUIRED,
  "compulsory|obligatory|non-negotiable|a\\s+must\\b|an?\\s+(?:hard|strict|absolute)\\s+(?:requirement|prerequisite)",
  "always\\s+(?:required|loaded|used|run|invoked)",
];
const REQUIRED_AS = [
  "for|before|when|first|if|in|to|at|as|on|by|during|reading|background|(?:sub-?)?skill|upstream|step|prior",
  "companion|prerequisite|run|load|use|loaded|used|invoked?|read",
];
const NO_EXCEPTION = [...REQUIRED, "non-negotiable|no\\s+exceptions|without\\s+exception"];
const ORDINALS = ["first|initial|opening|next|last|final"];
const STEP_NAMES = ["step|action|call|move|tool\\s+call"];

/** Words in a sentence that require the skill it names. */
export const REQUIRES = rulesIn("en", [
  {
    id: "required-label",
    effect: "label",
    when: { text: exact`(?:^|[\s(*>⚠️🚨❗-])${LABELS}${KIND}${FIRST_STEP}\s*[:：—–]\s*(?<rest>.{0,160})$` },
    matches: ["REQUIRED SUB-SKILL: Use code-review", "**MANDATORY:** run `/code-review`"],
    rejects: ["What is required: run `/code-review`"],
  },
  {
    id: "label-of-a-case",
    effect: "label-of-case",
    when: { clause: /^\W*(?:if|unless|whether)\s+(?:the\s+)?\W*$/i },
    matches: ["**REQUIRED BACKGROUND:** If `code-review` is active, follow its cycle."],
    rejects: ["**REQUIRED BACKGROUND:** Read `code-review`."],
  },
  {
    id: "bare-label",
    effect: "requires",
    when: { before: re`(?:^|[\s*>-])(?:required|mandatory|must|always)\W{0,3}[:：]\W{0,6}(?:[\w.-]+:)?$` },
    needs: ["marked", "hyphenated"],
    matches: ["Required: `code-review`"],
    rejects: ["Required: a report like `code-review`"],
  },
  {
    id: "label-with-required-in-brackets",
    effect: "requires",
    when: { before: re`\((?:all\s+)?${REQUIRED}\)\W{0,3}[:：]\W{0,6}(?:[\w.-]+:)?$` },
    needs: ["marked", "hyphenated"],
    matches: ["Prerequisite (required): `code-review`"],
    rejects: ["Prerequisite (optional): `code-review`"],
  },
  {
    id: "first-step-must-be",
    effect: "requires",
    when: {
      before: re`\b${ORDINALS}\s+${STEP_NAMES}\s+(?:(?:must|has\s+to)\s+(?:always\s+)?be|is\s+always)\s+(?:to\s+)?(?:${USE}\s+)?(?:the\s+)?${OPENING}$`,
    },
    matches: ["Your first step must be `/code-review status`."],
    rejects: ["Your first step must be short; `/code-review` takes long."],
  },
  {
    id: "must-with-aside",
    effect: "requires",
    when: { before: /\b(?:must|shall|always),[^,;:.]{1,80},\s[^,;:.]*$/i },
    needs: ["directive"],
    matches: ["The agent MUST, whatever the user says, invoke the code-review skill."],
    rejects: ["The agent must ask; whatever the user says, invoke the code-review skill."],
  },
  {
    id: "and-this-is-mandatory",
    effect: "requires",
    when: { before: re`[—–(]\s*(?:and\s+)?this\s+is\s+${REQUIRED}\s*[—–)]\s*[^,;:.]*$` },
    needs: ["directive"],
    matches: ["First — and this is mandatory — run `code-review`."],
    rejects: ["First — and this is optional — run `code-review`."],
  },
  {
    id: "required-tag",
    effect: "requires",
    when: { before: re`^[\s\d.)*-]*[[(【](?:required|mandatory|must|always)[\])】]\W{0,3}(?:\w+\W+){0,6}$` },
    needs: ["directive"],
    matches: ["[REQUIRED] Use `code-review` for it."],
    rejects: ["[OPTIONAL] Use `code-review` for it."],
  },
  {
    id: "which-you-must-read",
    effect: "requires",
    when: {
      after: re`^\W{0,3}(?:skills?\b)?,?\s*(?:which|that)\s+(?:you|we|the\s+agent)\s+(?:must|have\s+to|are\s+required\s+to)\s+(?:(?:always|first)\s+)?${[...USE, "consult"]}\b`,
    },
    needs: ["marked"],
    matches: ["This skill builds on `code-review`, which you must read first."],
    rejects: ["This skill builds on `code-review`, which you may read first."],
  },
  {
    id: "must-use-list",
    effect: "requires",
    when: { before: re`\b(?:must|always)\s+${USE}\b[^.;:：()]{0,40}[:：]\s*\W{0,2}$` },
    matches: ['You must invoke the Skill tool with skill: "code-review" whenever a task arrives.'],
    rejects: ["MAY use: `code-review`"],
  },
  {
    id: "must-follow-in-brackets",
    effect: "requires",
    when: {
      before: re`\((?:must|always)\s+${USE}\b[^()]{0,40}\)\W{0,3}[:：][^.;:：]{0,80}(?:[\w.-]+:)?$`,
    },
    matches: ["**Rigid** (must follow exactly): this skill, [skill:code-review]."],
    rejects: ["**Rigid** (may follow exactly): this skill, [skill:code-review]."],
  },
  {
    id: "name-must-run",
    effect: "requires",
    when: {
      after: re`^\W{0,5}(?:skills?\W{1,3})?(?:(?:which|that)\s+)?(?:must|has to)\s+(?:(?:always|first|already|have|be|been)\s+)*${BEEN_RUN}\b(?!-)`,
    },
    needs: ["marked"],
    matches: ["`code-review` must run first."],
    rejects: ["`code-review` must be read-only."],
  },
  {
    id: "name-is-required",
    effect: "requires",
    when: {
      after: re`^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:(?:\w+ly|always|also|both|all)\s+){0,2}${IS_NECESSARY}\b(?!\s+(?:by|only)\b)`,
    },
    unless: { before: OF_OTHER },
    needs: ["marked"],
    matches: ["`code-review` is required."],
    rejects: ["`code-review` is required by others.", "The report of `code-review` is required."],
  },
  {
    id: "loud-required-after-name",
    effect: "requires",
    when: {
      after: exact`${AFTER_NAME}[-–—:|(：（]+\s*(?:[\w.-]+\s+)?(?:REQUIRED|MANDATORY|MUST(?!\s+(?:NOT|be|have|not)))`,
    },
    unless: { before: OF_OTHER },
    needs: ["marked"],
    matches: ["It needs `code-review` — MANDATORY at this point"],
    rejects: ["It needs `code-review` — mandatory fields are there"],
  },
  {
    id: "name-required-in-brackets",
    effect: "requires",
    when: {
      after: re`${AFTER_NAME}[(（](?:required|mandatory|always)(?:\s+${REQUIRED_AS}\b|\s*(?:[,;:：，；—–-]|(?=[)）])))[^()（）]{0,80}[)）]`,
    },
    unless: { before: OF_OTHER },
    needs: ["marked"],
    matches: ["It begins at `code-review` (required before a commit)."],
    rejects: ["It begins at `code-review` (required fields of a commit)."],
  },
  {
    id: "required-at-end",
    effect: "requires",
    when: {
      after: re`[—–,(]\s*(?:(?:this|which)\s+is\s+)?${NO_EXCEPTION}(?:\W*$|[^\w\s]|\s+(?:for|in|on|at|before|every|each|all|here|even)\b)`,
    },
    needs: ["directive"],
    matches: ["Read `code-review` before writing — mandatory."],
    rejects: ["Read `code-review` before writing, required fields first."],
  },
  {
    id: "required-in-brackets-after-verb",
    effect: "requires",
    when: { after: re`${AFTER_NAME}[(（]${REQUIRED}(?![\w-])` },
    needs: ["directive"],
    matches: ["1. Use the code-review skill (mandatory locking rules)."],
    rejects: ["1. Use the code-review skill (recommended locking rules)."],
  },
  {
    id: "requires-name",
    effect: "requires",
    when: { clause: /\brequires?\s+(?:(?:the|sibling|skill)\s+)*["'“(]?$/i },
    needs: ["marked"],
    matches: ["It requires the `code-review` skill to be loaded."],
    rejects: ["It requires a token for `code-review`."],
  },
  {
    id: "this-is-required",
    effect: "it-is-required",
    when: {
      text: re`^\W*${SUBJECT}(?:\s+(?:step|skill|gate|call|check|part))?\s+is\s+(?:(?:\w+ly|always|also)\s+){0,2}${NECESSARY}\b(?!\s+(?:by|only|when|if)\b)`,
    },
    matches: ["Run `/code-review`. This step is required."],
    rejects: ["Run `/code-review`. This step is short."],
  },
  {
    id: "you-must-follow-it",
    effect: "it-is-required",
    when: {
      text: re`^\W*(?:you|we|the\s+agent)\s+(?:must|have\s+to)\s+(?:always\s+)?(?:have|keep|use|follow|load|read|run|invoke|call)\s+(?:it|this|that)\b`,
    },
    matches: ["Load `code-review`. You must follow it."],
    rejects: ["Load `code-review`. You must follow the guide."],
  },
  {
    id: "needs-a-pass-of-name",
    effect: "needs-pass",
    when: { clause: /\b(?:needs?|gets?|passes|goes\s+through)\s+(?:an?\s+|the\s+)?\W?$/i },
    matches: ["Every PR needs a `code-review` pass. This is mandatory."],
    rejects: ["Every PR has a `code-review` pass. This is mandatory."],
  },
]);
