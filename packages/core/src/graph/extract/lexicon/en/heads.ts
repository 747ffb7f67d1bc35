import { piece, re } from "../pattern.ts";
import { rulesIn } from "../rule.ts";
import { REQUIRED } from "../words.ts";

const LOAD = ["load|run|use|invoke|read|call|apply|route"];
const ROLES = ["upstream|first|step|gate|prerequisite|companion|overlay|before|beforehand"];
const PURPOSE = piece`(?:\s+(?:for\s+)?(?<purpose>[\w-]+))?`;
const DASH = piece`^\W{0,2}(?:skills?)?\s*[-–—:]+\s*`;

/** What an item or a row says of the skill at its beginning. */
export const HEADS = rulesIn("en", [
  {
    id: "always-load-first",
    effect: "requires-head",
    when: {
      text: re`\balways\s+${LOAD}\s+(?:(?:it|this|here|this\s+skill)\b\s*)?(?:(?:first|before|here|for|as|when(?:ever)?|if)\b|[;)]|\.(?:\s|$)|$)`,
    },
    matches: ["- **code-review** — Foundation skill. ALWAYS load before writing."],
    rejects: ["- **code-review** — Foundation skill. ALWAYS load the diff."],
  },
  {
    id: "always-loaded",
    effect: "requires-head",
    when: { text: /\balways\s+(?:co-)?(?:loaded|used|invoked|required|active)\b/i },
    matches: ["- `code-review` — the parent. ALWAYS co-loaded."],
    rejects: ["- `code-review` — the parent. ALWAYS there."],
  },
  {
    id: "must-load-this-skill",
    effect: "requires-head",
    when: {
      text: /\bmust\s+(?:always\s+)?(?:load|use|run|invoke|read|follow)\s+(?:this\s+skill|it|this)\b/i,
    },
    matches: ["- `code-review` — the base; agents must load this skill"],
    rejects: ["- `code-review` — the base; agents must load their diff"],
  },
  {
    id: "must-be-loaded-first",
    effect: "requires-head",
    when: {
      text: /\bmust\s+(?:be\s+)?(?:run|loaded|completed?|executed?|invoked|used)\s+(?:first|immediately|before)\b/i,
    },
    matches: ["- `code-review` — the base, must be loaded first"],
    rejects: ["- `code-review` — the base, must be loaded slowly"],
  },
  {
    id: "mandatory-upstream",
    effect: "head-role",
    when: {
      text: re`${DASH}${REQUIRED}(?:\s+(?:${ROLES}\b|for\b|[.;)]|$)|\s*(?:[.;]|$))${PURPOSE}`,
    },
    matches: ["- `code-review` - Mandatory upstream"],
    rejects: ["- `code-review` - Required fields are listed there"],
  },
  {
    id: "reading-is-required-upstream",
    effect: "head-role",
    when: {
      text: re`${DASH}(?:[\w-]+\s+){1,8}(?:is|are)\s+${REQUIRED}\s+(?:upstream|first|beforehand)\b${PURPOSE}`,
    },
    matches: ["- `code-review` - a reading is required upstream"],
    rejects: ["- `code-review` - a reading is required"],
  },
  {
    id: "mandatory-check-arrow",
    effect: "requires",
    when: { before: re`\|[^|]*\b${REQUIRED}\s+(?:[\w/-]+\s+){0,3}(?:->|→)\s*\W{0,2}(?:[\w-]+\/)?$` },
    matches: ["| mandatory quality check -> code-review |"],
    rejects: ["| optional quality check -> code-review |"],
  },
  {
    id: "required-cell",
    effect: "required-cell",
    when: {
      text: re`^\s*(?:required|mandatory|must|always)\s*$|^[^|]{0,60}\((?:required|mandatory|always)\)\s*$`,
    },
    matches: ["| `code-review` | required |"],
    rejects: ["| `code-review` | not required |"],
  },
  {
    id: "required-column",
    effect: "required-column",
    when: { text: /^[\s*_]*(?:required|mandatory|must)[\s*_?？]*$/i },
    matches: ["| Skill | Required |\n|---|---|\n| `code-review` | Yes |"],
    rejects: ["| Skill | Required fields |\n|---|---|\n| `code-review` | Yes |"],
  },
  {
    id: "yes",
    effect: "yes",
    when: { text: /^[\s*_]*(?:yes\b|y$|true\b|always\b)/i },
    matches: ["| Skill | Required |\n|---|---|\n| `code-review` | Yes |"],
    rejects: ["| Skill | Required |\n|---|---|\n| `code-review` | No |"],
  },
  {
    id: "use-this-after",
    effect: "head-told",
    when: {
      text: /\b(?:use|run|invoke|load|call)\s+(?:this|it)\b|^\W*\|\W*(?:always\s+)?(?:use|run|invoke|load|call|trigger)\b/i,
    },
    matches: ["- `code-review` — once you know it, use this to look."],
    rejects: ["- `code-review` — once you know it, use that to look."],
  },
]);
