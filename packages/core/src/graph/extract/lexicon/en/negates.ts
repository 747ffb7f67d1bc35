import { piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";

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
export const NEGATES = rulesIn("en", [
  {
    id: "negation-before-name",
    effect: "negates",
    when: { clause: re`(?<![\w-])${NEGATIONS}(?![\w-])` },
    matches: ["There is no need to always run `code-review`.", "You must never use the code-review skill."],
    rejects: ["You must, without exception, use the `code-review` skill."],
  },
  {
    id: "negation-after-name",
    effect: "negates",
    when: {
      rest: re`^[^\w,，;]{0,3}(?:skills?\s+)?(?:is|are|does|do|was|must|should|will|can)?\s*(?:not\b|never\b|n['’]t)`,
    },
    matches: ["REQUIRED: `code-review` does not run here."],
    rejects: ["You MUST use `code-review`, not `write-tests`."],
  },
  {
    id: "not-until-you-have-run",
    effect: "insists",
    when: {
      clause: re`${NOT}[^.;]{1,90}\b(?:until|before|unless)\s+(?:${WHO}\s+){0,4}(?:having\s+)?${RUN_BEFORE}\s+(?:the\s+)?\W{0,3}(?:[\w.-]+:)?$`,
    },
    matches: ["Do NOT write code until you have invoked `code-review`."],
    rejects: ["Write code until you have invoked `code-review`."],
  },
  {
    id: "never-skip",
    effect: "insists",
    when: { clause: re`${NOT}\s+(?:ever\s+)?${SKIP}\b` },
    matches: ["Never skip the code-review skill."],
    rejects: ["Skip the code-review skill."],
  },
  {
    id: "nothing-without",
    effect: "insists",
    when: { clause: re`(?:${NOT}|${NOTHING})[^.;]{1,60}\bwithout\s+(?:${DOING}\s+){0,4}\W{0,3}$` },
    matches: ["Never proceed without the `code-review` skill.", "Absolutely no merge without `code-review`."],
    rejects: ["There is no need to work without `code-review`."],
  },
  {
    id: "skipping-is-not-allowed",
    effect: "insists",
    when: {
      clause: /\b(?:skipping|omitting|bypassing|leaving\s+out)\s+(?:the\s+)?["'“/]{0,2}$/i,
      rest: /^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:strictly\s+)?(?:(?:not|never)\s+(?:allowed|permitted|acceptable|an\s+option)|forbidden|prohibited)\b/i,
    },
    matches: ["Skipping `/code-review` is not allowed."],
    rejects: ["Using `/code-review` is not allowed."],
  },
  {
    id: "not-until-name-has-run",
    effect: "insists",
    when: {
      clause: re`${NOT}[^.;]{1,90}\b(?:until|before|unless)\s+(?:the\s+)?\W{0,3}(?:[\w.-]+:)?$`,
      rest: /^\W{0,3}(?:skills?\s+)?(?:has|have)\s+(?:been\s+)?(?:run|completed|finished|passed|succeeded|loaded|invoked|approved)\b/i,
    },
    matches: ["Do not proceed until `/code-review` has completed."],
    rejects: ["Do not proceed until `/code-review` has a name."],
  },
  {
    id: "if-or-otherwise",
    effect: "condition",
    when: { text: /^[\s\W\d]*(?:if|when|whenever|otherwise|unless|for)\b|\bif\b|\botherwise\b/i },
    matches: ["You MUST do this:\n\n- If it is missing, run `/code-review`"],
    rejects: ["You MUST do this:\n\n- Run `/code-review`"],
  },
  {
    id: "optional",
    effect: "optional",
    when: { text: /\boptional(?:ly)?\b/i },
    matches: ["After that, optionally run `code-review`."],
    rejects: ["After that, run `code-review`."],
  },
  {
    id: "or-something-else",
    effect: "choice",
    when: {
      after: /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?,?\s*or\s+(?!else\b)/i,
    },
    matches: ["You MUST use the code-review skill or do it by hand."],
    rejects: ["You MUST use the code-review skill or else stop."],
  },
  {
    id: "one-of",
    effect: "choice",
    when: { segment: /\b(?:either|(?:one|any)\s+of(?!\s+its\b)|whichever)\b/i },
    matches: ["You MUST use one of: `code-review`, `write-tests`."],
    rejects: ["You MUST use `code-review` in one of its modes."],
  },
  {
    id: "one-of-after-name",
    effect: "choice",
    when: { own: /\b(?:either|(?:one|any)\s+of(?!\s+its\b)|whichever)\b/i },
    matches: ["You MUST use `code-review` for one of both ways."],
    rejects: ["You MUST use `code-review` in one of its modes."],
  },
]);
