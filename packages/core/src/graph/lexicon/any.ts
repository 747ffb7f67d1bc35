import { NAME_BEGINS, NAME_ENDS } from "./en-titles.ts";
import { CJK_NAME, exact, type Rule, re, rule } from "./rule.ts";

/** A required field or parameter: 必須項目. */
const OF_FIELDS = [
  "项|項|字段|欄|栏|参数|參數|パラ|フィ|入力|条件|情報|の(?!スキル)|な|[\\u4e00-\\u9fff]{1,6}的",
];

/** The types of document 000 §3 in their own spelling: as a label, before and after a name. */
const TYPES = [
  ["typed-now", "requires[_-]now"],
  ["typed-later", "requires[_-]later"],
  ["typed-reference", "reference[_-]only"],
] as const;
const TYPE_BEGINS = "(?:^|[\\s(（*>|【[-])";

/** Signs and characters that mean the same in several languages. */
export const ANY: readonly Rule[] = [
  rule("typed-label", "label", {
    text: re`${TYPE_BEGINS}(?<kind>${TYPES.map(([, spelled]) => spelled)})\W{0,3}[:：](?<rest>.{0,160})$`,
  }),
  ...TYPES.flatMap(([effect, spelled]) => [
    rule(`${effect}-before-name`, effect, {
      before: re`${TYPE_BEGINS}${spelled}\W{0,3}[:：|)）]\W{0,6}(?:[\w.-]+:)?$`,
    }),
    rule(`${effect}-after-name`, effect, { after: re`^\W{0,3}[:：|(（【[—–→-]\W{0,3}${spelled}(?![\w-])` }),
  ]),
  rule("sign-ends-modal", "ends-modal", { text: /[;:|()（）：；]|—|–|\s-\s|→|[-=]>/ }),
  rule("arrow-or-bracket-condition", "condition", { text: /→|[-=]>|[(（][^()（）]*$/ }),
  rule("question-mark", "question", { text: /[?？][^\w]*$/ }),
  rule("check-or-cross-title", "example-title", { text: /✅|❌/u }),
  rule("cross-before-sentence", "shown", { text: /^[\s|*-]*[❌✗✘🚫]/u }),
  rule("kanji-example-title", "example-title", { text: /^例[:：]?$/ }),
  rule("kanji-example-label", "shown", { text: /^\W*例\s*(?:\([^)]*\)\s*)?[:：]/ }),
  rule("kanji-required-label", "label", {
    text: re`(?:^|[\s(*>⚠️🚨❗-])(?:必須|必须|強制|强制)(?<kind>\s*(?:sub-?skills?|skills?|スキル|サブスキル|技能|前提))?\s*(?:\([^()]{0,60}\))?\s*[:：—–]\s*(?<rest>.{0,160})$`,
  }),
  rule("kanji-required-after-name", "requires", {
    after: exact`^\W{0,2}(?:skills?)?\s*[-–—:|(：（]+\s*(?:[\w.-]+\s+)?(?:必須|必须|必ず)`,
    unless: { before: /\b(?:from|by|of|see)\s+\W?$/i },
    needs: ["marked"],
  }),
  rule("kanji-name-is-required", "requires", {
    after: re`^${CJK_NAME}(?:は|が|を|的使用|为|為|是)?\s?(?:必須|必须|必ず)`,
    unless: { before: /\b(?:from|by|of|see)\s+\W?$/i },
    needs: ["marked"],
  }),
  rule("kanji-required-column", "required-column", { text: /^[\s*_]*(?:必須|必须|必需)[\s*_?？]*$/ }),
  rule("ticked", "yes", { text: /^[\s*_]*(?:✅|✓|✔|☑|○|◯)/u }),
  rule("kanji-must", "must-word", { near: re`必[须須](?!${OF_FIELDS})|強制` }),
  rule("kanji-use", "use-word", { near: /使|用|呼|skill|use|run|invoke|load/i }),
  rule("arrow-to-name", "reference", { before: /(?:→|->|=>)\s{0,2}["'“「『]?$/ }),
  rule("comma", "and", { between: re`${NAME_ENDS}(?:,|、)\s*(?:then\s+|the\s+|use\s+)*${NAME_BEGINS}` }),
  rule("comma-joins-names", "joins", {
    between: re`^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:,|、|\/)\s*(?:the\s+)?["'“「『]?$`,
  }),
];
