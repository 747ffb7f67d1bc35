import { exact, OPENING, piece, REQUIRED, type Rule, re, rule, START, USE } from "./rule.ts";

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
export const DIRECTS: readonly Rule[] = [
  rule("verb-before-name", "directs", {
    before: re`(?<![\w-])${VERBS}(?:\s+${FILL}){0,5}\s+${OPENING}$${NOT_BY}`,
  }),
  rule("past-verb-before-name", "directs", {
    before: re`(?<![\w-])${DONE}(?:\s+(?:the|an?|your|skill)){0,2}\s+${OPENING}$`,
  }),
  rule("hand-over-to-name", "hands-over", { clause: re`\b${HANDING}\b[^;:.]{0,90}\bto${TO_NAME}` }),
  rule("step-by-means-of-name", "means", {
    before: exact`^[\s\W\d]*[A-Z][a-z]+\b[^.;:]{0,120}\b(?:via|using|through|with)${TO_NAME}`,
  }),
  rule("must-be-done-with-name", "by-means-of", {
    reach: re`\b(?:with|via|through)${TO_NAME}`,
    unless: { reach: re`^\s+be\b|\b${LIKENESS}\b` },
    needs: ["marked"],
  }),
  rule("must-be-made-by-skill", "requires", {
    reach: re`^\s+(?:be|been)\s+(?:\w+ly\s+)?(?!${BY_NAME}\s+by\b)\w+(?:\s+(?:out|up|off|in|down))?\s+(?:with|via|through|by|using|against)${TO_NAME}`,
    after: /^\W{0,3}(?:skills?|スキル|技能)/i,
    unless: { reach: re`\b${LIKENESS}\b` },
  }),
  rule("must-be-combined-with", "requires", {
    clause: re`${MUST_BE}${COMBINED}\s+(?:together\s+|along\s+)?(?:with|through|via|using)${TO_NAME}`,
  }),
  rule("must-be-checked-by", "requires", {
    clause: re`${MUST_BE}${CHECKED}\s+(?:with|by|through|via|using|to)${TO_NAME}`,
  }),
  rule("must", "modal", { text: modal("must|always|shall|required\\s+to") }),
  rule("it-is-mandatory-to", "modal", {
    text: modal(piece`${NECESSARY}\s+(?:to|that\s+(?:you|we|the\s+agent))`),
  }),
  rule("requires-you-to", "weak-modal", {
    text: modal("requires?\\s+(?:that\\s+)?(?:you|the\\s+agent)(?:\\s+to)?"),
  }),
  rule("have-to", "weak-modal", { text: modal("(?:has|have)\\s+to") }),
  rule("if-or-may-before-modal", "doubt", {
    text: /\b(?:if|when|whenever|may|might|could|would|in case|unless|whether|where|what|why|how|who|that|which|for)\b/i,
  }),
  rule("conjunction-ends-modal", "ends-modal", {
    text: /\b(?:before|when|while|if|unless|until|after|once|because|so that|which|that|whose|where|since|than)\b/i,
  }),
];

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
const IT_IS_NECESSARY = [
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
export const REQUIRES: readonly Rule[] = [
  rule("required-label", "label", {
    text: exact`(?:^|[\s(*>⚠️🚨❗-])${LABELS}${KIND}${FIRST_STEP}\s*[:：—–]\s*(?<rest>.{0,160})$`,
  }),
  rule("label-of-a-case", "label-of-case", { clause: /^\W*(?:if|unless|whether)\s+(?:the\s+)?\W*$/i }),
  rule("bare-label", "requires", {
    before: re`(?:^|[\s*>-])(?:required|mandatory|must|always)\W{0,3}[:：]\W{0,6}(?:[\w.-]+:)?$`,
    needs: ["marked", "hyphenated"],
  }),
  rule("label-with-required-in-brackets", "requires", {
    before: re`\((?:all\s+)?${REQUIRED}\)\W{0,3}[:：]\W{0,6}(?:[\w.-]+:)?$`,
    needs: ["marked", "hyphenated"],
  }),
  rule("first-step-must-be", "requires", {
    before: re`\b${ORDINALS}\s+${STEP_NAMES}\s+(?:(?:must|has\s+to)\s+(?:always\s+)?be|is\s+always)\s+(?:to\s+)?(?:${USE}\s+)?(?:the\s+)?${OPENING}$`,
  }),
  rule("must-with-aside", "requires", {
    before: /\b(?:must|shall|always),[^,;:.]{1,80},\s[^,;:.]*$/i,
    needs: ["directive"],
  }),
  rule("and-this-is-mandatory", "requires", {
    before: re`[—–(]\s*(?:and\s+)?this\s+is\s+${REQUIRED}\s*[—–)]\s*[^,;:.]*$`,
    needs: ["directive"],
  }),
  rule("required-tag", "requires", {
    before: re`^[\s\d.)*-]*[[(【](?:required|mandatory|must|always)[\])】]\W{0,3}(?:\w+\W+){0,6}$`,
    needs: ["directive"],
  }),
  rule("which-you-must-read", "requires", {
    after: re`^\W{0,3}(?:skills?\b)?,?\s*(?:which|that)\s+(?:you|we|the\s+agent)\s+(?:must|have\s+to|are\s+required\s+to)\s+(?:(?:always|first)\s+)?${[...USE, "consult"]}\b`,
    needs: ["marked"],
  }),
  rule("must-use-list", "requires", {
    before: re`\b(?:must|always)\s+${USE}\b[^.;:：()]{0,40}[:：]\s*\W{0,2}$`,
  }),
  rule("must-follow-in-brackets", "requires", {
    before: re`\((?:must|always)\s+${USE}\b[^()]{0,40}\)\W{0,3}[:：][^.;:：]{0,80}(?:[\w.-]+:)?$`,
  }),
  rule("name-must-run", "requires", {
    after: re`^\W{0,5}(?:skills?\W{1,3})?(?:(?:which|that)\s+)?(?:must|has to)\s+(?:(?:always|first|already|have|be|been)\s+)*${BEEN_RUN}\b(?!-)`,
    needs: ["marked"],
  }),
  rule("name-is-required", "requires", {
    after: re`^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:(?:\w+ly|always|also|both|all)\s+){0,2}${IS_NECESSARY}\b(?!\s+(?:by|only)\b)`,
    unless: { before: OF_OTHER },
    needs: ["marked"],
  }),
  rule("loud-required-after-name", "requires", {
    after: exact`${AFTER_NAME}[-–—:|(：（]+\s*(?:[\w.-]+\s+)?(?:REQUIRED|MANDATORY|MUST(?!\s+(?:NOT|be|have|not)))`,
    unless: { before: OF_OTHER },
    needs: ["marked"],
  }),
  rule("name-required-in-brackets", "requires", {
    after: re`${AFTER_NAME}[(（](?:required|mandatory|always)(?:\s+${REQUIRED_AS}\b|\s*(?:[,;:：，；—–-]|(?=[)）])))[^()（）]{0,80}[)）]`,
    unless: { before: OF_OTHER },
    needs: ["marked"],
  }),
  rule("required-at-end", "requires", {
    after: re`[—–,(]\s*(?:(?:this|which)\s+is\s+)?${NO_EXCEPTION}(?:\W*$|[^\w\s]|\s+(?:for|in|on|at|before|every|each|all|here|even)\b)`,
    needs: ["directive"],
  }),
  rule("required-in-brackets-after-verb", "requires", {
    after: re`${AFTER_NAME}[(（]${REQUIRED}(?![\w-])`,
    needs: ["directive"],
  }),
  rule("requires-name", "requires", {
    clause: /\brequires?\s+(?:(?:the|sibling|skill)\s+)*["'“(]?$/i,
    needs: ["marked"],
  }),
  rule("this-is-required", "it-is-required", {
    text: re`^\W*${SUBJECT}(?:\s+(?:step|skill|gate|call|check|part))?\s+is\s+(?:(?:\w+ly|always|also)\s+){0,2}${IT_IS_NECESSARY}\b(?!\s+(?:by|only|when|if)\b)`,
  }),
  rule("you-must-follow-it", "it-is-required", {
    text: re`^\W*(?:you|we|the\s+agent)\s+(?:must|have\s+to)\s+(?:always\s+)?(?:have|keep|use|follow|load|read|run|invoke|call)\s+(?:it|this|that)\b`,
  }),
  rule("needs-a-pass-of-name", "needs-pass", {
    clause: /\b(?:needs?|gets?|passes|goes\s+through)\s+(?:an?\s+|the\s+)?\W?$/i,
  }),
];

const LOAD = ["load|run|use|invoke|read|call|apply|route"];
const ROLES = ["upstream|first|step|gate|prerequisite|companion|overlay|before|beforehand"];
const PURPOSE = piece`(?:\s+(?:for\s+)?(?<purpose>[\w-]+))?`;
const DASH = piece`^\W{0,2}(?:skills?)?\s*[-–—:]+\s*`;

/** What an item or a row says of the skill at its beginning. */
export const HEADS: readonly Rule[] = [
  rule("always-load-first", "requires-head", {
    text: re`\balways\s+${LOAD}\s+(?:(?:it|this|here|this\s+skill)\b\s*)?(?:(?:first|before|here|for|as|when(?:ever)?|if)\b|[;)]|\.(?:\s|$)|$)`,
  }),
  rule("always-loaded", "requires-head", {
    text: /\balways\s+(?:co-)?(?:loaded|used|invoked|required|active)\b/i,
  }),
  rule("must-load-this-skill", "requires-head", {
    text: /\bmust\s+(?:always\s+)?(?:load|use|run|invoke|read|follow)\s+(?:this\s+skill|it|this)\b/i,
  }),
  rule("must-be-loaded-first", "requires-head", {
    text: /\bmust\s+(?:be\s+)?(?:run|loaded|completed?|executed?|invoked|used)\s+(?:first|immediately|before)\b/i,
  }),
  rule("mandatory-upstream", "head-role", {
    text: re`${DASH}${REQUIRED}(?:\s+(?:${ROLES}\b|for\b|[.;)]|$)|\s*(?:[.;]|$))${PURPOSE}`,
  }),
  rule("reading-is-required-upstream", "head-role", {
    text: re`${DASH}(?:[\w-]+\s+){1,8}(?:is|are)\s+${REQUIRED}\s+(?:upstream|first|beforehand)\b${PURPOSE}`,
  }),
  rule("mandatory-check-arrow", "requires", {
    before: re`\|[^|]*\b${REQUIRED}\s+(?:[\w/-]+\s+){0,3}(?:->|→)\s*\W{0,2}(?:[\w-]+\/)?$`,
  }),
  rule("required-cell", "required-cell", {
    text: re`^\s*(?:required|mandatory|must|always)\s*$|^[^|]{0,60}\((?:required|mandatory|always)\)\s*$`,
  }),
  rule("required-column", "required-column", { text: /^[\s*_]*(?:required|mandatory|must)[\s*_?？]*$/i }),
  rule("yes", "yes", { text: /^[\s*_]*(?:yes\b|y$|true\b|always\b)/i }),
  rule("use-this-after", "head-told", {
    text: /\b(?:use|run|invoke|load|call)\s+(?:this|it)\b|^\W*\|\W*(?:always\s+)?(?:use|run|invoke|load|call|trigger)\b/i,
  }),
];

const NOT = piece`\b(?:never|do not|don't|must not|cannot|can't|may not)\b`;
const DOING = ["first|having|running|run|using|used|invoking|invoked|loading|loaded|calling|reading|the|a"];
const RUN_BEFORE = [
  "run|running|used|using|invoked|invoking|loaded|loading|called|calling|read|reading|completed|completing",
];
const WHO = ["you|we|it|has|have|you've|the|agent|user"];
const SKIP = ["skip|omit|bypass|forget|waive"];
const NEGATIONS = [
  "do not|don't|does not|doesn't|not|never|cannot|can't|won't|no longer|instead of|rather than|avoid|avoids",
  "without(?!\\s+(?:exceptions?|fail|delay)\\b)|nobody|no one|skip|skips|isn't|aren't|no need",
];
/** "nothing starts without x", but not "no need to do it without x". */
const NOTHING = piece`\b(?:no|nothing)\b(?!\s+(?:need|longer|problem|issue|matter|more|extra|additional))`;

/** Negations, and the double negations that require: "never go on without x". */
export const NEGATES: readonly Rule[] = [
  rule("negation-before-name", "negates", { clause: re`(?<![\w-])${NEGATIONS}(?![\w-])` }),
  rule("negation-after-name", "negates", {
    rest: re`^[^\w,，;]{0,3}(?:skills?\s+)?(?:is|are|does|do|was|must|should|will|can)?\s*(?:not\b|never\b|n['’]t)`,
  }),
  rule("not-until-you-have-run", "insists", {
    clause: re`${NOT}[^.;]{1,90}\b(?:until|before|unless)\s+(?:${WHO}\s+){0,4}(?:having\s+)?${RUN_BEFORE}\s+(?:the\s+)?\W{0,3}(?:[\w.-]+:)?$`,
  }),
  rule("never-skip", "insists", { clause: re`${NOT}\s+(?:ever\s+)?${SKIP}\b` }),
  rule("nothing-without", "insists", {
    clause: re`(?:${NOT}|${NOTHING})[^.;]{1,60}\bwithout\s+(?:${DOING}\s+){0,4}\W{0,3}$`,
  }),
  rule("skipping-is-not-allowed", "insists", {
    clause: /\b(?:skipping|omitting|bypassing|leaving\s+out)\s+(?:the\s+)?["'“/]{0,2}$/i,
    rest: /^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:strictly\s+)?(?:(?:not|never)\s+(?:allowed|permitted|acceptable|an\s+option)|forbidden|prohibited)\b/i,
  }),
  rule("not-until-name-has-run", "insists", {
    clause: re`${NOT}[^.;]{1,90}\b(?:until|before|unless)\s+(?:the\s+)?\W{0,3}(?:[\w.-]+:)?$`,
    rest: /^\W{0,3}(?:skills?\s+)?(?:has|have)\s+(?:been\s+)?(?:run|completed|finished|passed|succeeded|loaded|invoked|approved)\b/i,
  }),
  rule("if-or-otherwise", "condition", {
    text: /^[\s\W\d]*(?:if|when|whenever|otherwise|unless|for)\b|\bif\b|\botherwise\b/i,
  }),
  rule("optional", "optional", { text: /\boptional(?:ly)?\b/i }),
  rule("or-something-else", "choice", {
    after: /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?,?\s*or\s+(?!else\b)/i,
  }),
  rule("one-of", "choice", { segment: /\b(?:either|(?:one|any)\s+of(?!\s+its\b)|whichever)\b/i }),
  rule("one-of-after-name", "choice", { own: /\b(?:either|(?:one|any)\s+of(?!\s+its\b)|whichever)\b/i }),
];

const HOW_OFTEN = [
  "per|more|only|in|and|for|every|each|again|an?\\s+(?:day|week|month|year|session|quarter)",
];
/** The start of a condition, up to its verb. */
const WHEN = piece`\bwhen(?:ever)?\b[^.;,]{0,60}?`;
const BECOMES = piece`\b(?:is|are|gets?|becomes?|turns?|looks?|comes?\s+back)\s+(?:(?:all|both|fully|finally|now)\s+){0,2}`;
const THING_DONE = ["done|complete|completed|finished|green|clean|merged|approved|passing"];
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
export const LATER: readonly Rule[] = [
  rule("after", "later", { text: /\bafter(?:wards?)?\b(?!-)/i }),
  rule("once", "later", { text: re`\bonce\b(?=\s+[\w[\x60])(?!\s+${HOW_OFTEN}\b)(?<!\bat once)` }),
  rule("when-done", "later", {
    text: /\bwhen\s+(?:[\w-]+\s+){0,3}(?:done|finished|completed?)(?=\s*(?:[.,;:)|]|$|—|-))/i,
  }),
  rule("when-it-is-done", "later", { text: re`${WHEN}${BECOMES}${THING_DONE}\b` }),
  rule("when-it-is-deployed", "later", { text: re`${WHEN}${BECOMES}${MAYBE_DONE}${CLAUSE_ENDS}` }),
  rule("when-it-has-finished", "later", {
    text: re`${WHEN}(?:\bhas|\bhave|['’]ve)\s+(?:been\s+)?${HAS_DONE}\b`,
  }),
  rule("when-it-passes", "later", { text: re`${WHEN}\b${PASSES}\b` }),
  rule("if-it-passes", "later", {
    text: re`\bif\b[^.;,]{0,60}?(?:\b(?:pass(?:es|ed)?|succeed(?:s|ed)?)\b|${BECOMES}${THING_DONE}\b)`,
  }),
  rule("at-the-end", "later", {
    text: /\bat the (?:very )?end\b(?!\s+of\s+(?:(?:a|the|each|every)\s+)?(?:file|line|page|message)\b)/i,
  }),
  rule("finish-by", "later", {
    text: /\b(?:finish|end)\s+(?:by|with)\s+(?:running|using|invoking|calling|a\s)/i,
  }),
  rule("on-completion", "later", { text: /\b(?:up)?on\s+(?:success|completion|approval|merge)\b/i }),
  rule("as-soon-as", "later", { text: /\bas soon as\b/i }),
  rule("following-approval", "later", {
    text: /\bfollowing\s+(?:(?:the|a)\s+)?(?:completion|approval|merge|release|deployment)\b/i,
  }),
  rule("as-the-last-step", "later", { text: /\bas the (?:next|last|final) step\b/i }),
  rule("transition-to", "later", { text: /\btransition(?:s|ing)?\s+to\b/i }),
  rule("done-then", "later", {
    before: re`\b(?:completed?|done|finished)\b[\s;:,.—–→-]{1,4}(?:then\s+)?(?:hand(?:ing)?\s+off|proceed|continue|run|use|invoke|transition|move)\b[^.;|]*$`,
  }),
  rule("after-title", "later-title", {
    text: re`${PHASE}(?:after\b|once\b|finish(?:ing)?\b|wrap-?up|completion\b|next\b|post-)`,
  }),
  rule("when-done-title", "later-title", { text: re`${PHASE}when\b.*\b(?:${THING_DONE}|pass(?:es|ed)?)\b` }),
  rule("handoff-title", "later-title", { text: /\bhand-?offs?\b/i }),
  rule("next-steps-title", "later-title", {
    text: /\bnext\s+(?:steps?|stages?|phases?|skills?)\b|\bdownstream\b/i,
  }),
  rule("after-completion-title", "later-title", {
    text: /\bafter\b.*\b(?:completes?|completed|done|finish(?:es|ed)?|saved|saving)\b/i,
  }),
  rule("on-success-title", "later-title", { text: /\b(?:up)?on\s+(?:success|completion)\b/i }),
  rule("runs-what-is-listed", "runs-listed", {
    text: /\b(?:runs?|use|invokes?|calls?|hands?\s+off|proceed|continue)\b/i,
  }),
];
