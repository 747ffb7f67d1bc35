import { NAME_BEGINS, NAME_ENDS } from "./en/references.ts";
import { exact, re } from "./pattern.ts";
import { rulesIn } from "./rule.ts";
import { CJK_NAME } from "./words.ts";

/** A required field or parameter: 必須項目. */
const OF_FIELDS = [
  "项|項|字段|欄|栏|参数|參數|パラ|フィ|入力|条件|情報|の(?!スキル)|な|[\\u4e00-\\u9fff]{1,6}的",
];

/** Signs and characters that mean the same in several languages. */
export const ANY = rulesIn("any", [
  {
    id: "sign-ends-modal",
    effect: "ends-modal",
    when: { text: /[;:|()（）：；]|—|–|\s-\s|→|[-=]>/ },
    matches: ["The cache must exist (check it):\n\n- Run `code-review`"],
    rejects: ["You must check it:\n\n- Run `code-review`"],
  },
  {
    id: "arrow-or-bracket-condition",
    effect: "condition",
    when: { text: /→|[-=]>|[(（][^()（）]*$/ },
    matches: ["You MUST do this:\n\n- Large diff → use `code-review`"],
    rejects: ["You MUST do this:\n\n- Use `code-review` (a large diff)"],
  },
  {
    id: "question-mark",
    effect: "question",
    when: { text: /[?？][^\w]*$/ },
    matches: ["Must I use `code-review`?", "必ず `code-review` を使うべきですか？"],
    rejects: ["You must use `code-review`."],
  },
  {
    id: "check-or-cross-title",
    effect: "example-title",
    when: { text: /✅|❌/u },
    matches: ["## ❌ Not like this\n\nYou MUST use `code-review`."],
    rejects: ["## Like this\n\nYou MUST use `code-review`."],
  },
  {
    id: "cross-before-sentence",
    effect: "shown",
    when: { text: /^[\s|*-]*[❌✗✘🚫]/u },
    matches: ["✗ You MUST use `code-review`"],
    rejects: ["You MUST use `code-review` ✗"],
  },
  {
    id: "kanji-example-title",
    effect: "example-title",
    when: { text: /^例[:：]?$/ },
    matches: ["## 例\n\n必ず `code-review` を使う。"],
    rejects: ["## 例外\n\n必ず `code-review` を使う。"],
  },
  {
    id: "kanji-example-label",
    effect: "shown",
    when: { text: /^\W*例\s*(?:\([^)]*\)\s*)?[:：]/ },
    matches: ["例：必ず `code-review` を使う。"],
    rejects: ["例外なく必ず `code-review` を使う。"],
  },
  {
    id: "kanji-required-label",
    effect: "label",
    when: {
      text: re`(?:^|[\s(*>⚠️🚨❗-])(?:必須|必须|強制|强制)(?<kind>\s*(?:sub-?skills?|skills?|スキル|サブスキル|技能|前提))?\s*(?:\([^()]{0,60}\))?\s*[:：—–]\s*(?<rest>.{0,160})$`,
    },
    matches: ["必須スキル: testing", "**強制**：先呼叫 `code-review`。"],
    rejects: ["必須項目：先呼叫 `code-review`。"],
  },
  {
    id: "kanji-required-after-name",
    effect: "requires",
    when: { after: exact`^\W{0,2}(?:skills?)?\s*[-–—:|(：（]+\s*(?:[\w.-]+\s+)?(?:必須|必须|必ず)` },
    unless: { before: /\b(?:from|by|of|see)\s+\W?$/i },
    needs: ["marked"],
    matches: ["- `code-review`：必須"],
    rejects: ["- `code-review`：任意"],
  },
  {
    id: "kanji-name-is-required",
    effect: "requires",
    when: { after: re`^${CJK_NAME}(?:は|が|を|的使用|为|為|是)?\s?(?:必須|必须|必ず)` },
    unless: { before: /\b(?:from|by|of|see)\s+\W?$/i },
    needs: ["marked"],
    matches: ["`code-review` 是必須的。"],
    rejects: ["`code-review` の結果は必須。"],
  },
  {
    id: "kanji-required-column",
    effect: "required-column",
    when: { text: /^[\s*_]*(?:必須|必须|必需)[\s*_?？]*$/ },
    matches: ["| 技能 | 必须 |\n|---|---|\n| `code-review` | ✓ |"],
    rejects: ["| 技能 | 备注 |\n|---|---|\n| `code-review` | ✓ |"],
  },
  {
    id: "ticked",
    effect: "yes",
    when: { text: /^[\s*_]*(?:✅|✓|✔|☑|○|◯)/u },
    matches: ["| Skill | Required |\n|---|---|\n| `code-review` | ✓ |"],
    rejects: ["| Skill | Required |\n|---|---|\n| `code-review` | ✗ |"],
  },
  {
    id: "kanji-must",
    effect: "must-word",
    when: { near: re`必[须須](?!${OF_FIELDS})|強制` },
    matches: ["必須使用 code-review 技能。"],
    rejects: ["必須項目については `code-review` スキルを参照。"],
  },
  {
    id: "kanji-use",
    effect: "use-word",
    when: { near: /使|用|呼|skill|use|run|invoke|load/i },
    matches: ["必須使用 code-review。"],
    rejects: ["必須看 `code-review`。"],
  },
  {
    id: "arrow-to-name",
    effect: "reference",
    when: { before: /(?:→|->|=>)\s{0,2}["'“「『]?$/ },
    matches: ["Large diff → code-review"],
    rejects: ["Large diff, code-review"],
  },
  {
    id: "comma",
    effect: "and",
    when: { between: re`${NAME_ENDS}(?:,|、)\s*(?:then\s+|the\s+|use\s+)*${NAME_BEGINS}` },
    matches: ["You MUST use one of: `code-review`, `write-tests`."],
    rejects: ["You MUST use one of: `code-review`; see `write-tests`."],
  },
  {
    id: "comma-joins-names",
    effect: "joins",
    when: {
      between: re`^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:,|、|\/)\s*(?:the\s+)?["'“「『]?$`,
    },
    matches: ["Use `write-tests`, code-review and others."],
    rejects: ["Use `write-tests`. A code-review takes long."],
  },
]);
