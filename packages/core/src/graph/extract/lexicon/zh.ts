import { NAME_BEGINS, NAME_ENDS } from "./en/references.ts";
import { re } from "./pattern.ts";
import { rulesIn } from "./rule.ts";
import { CJK_NAME, OPENING } from "./words.ts";

const RUN = ["运行|運行|执行|執行|使用|加载|載入|调用|調用|呼叫|通过|通過|完成"];
const FORBIDDEN = ["不得|不要|不能|不可|不许|不准|禁止|切勿|严禁|嚴禁"];
const NEGATIONS = [
  "不要(?!な)|不得|不可|请勿|請勿|切勿|勿|禁止|严禁|嚴禁|别|不能|不应|不應|无需|無需|无须|無須|毋须|毋須|不必",
  "不是|不一定|并非|並非|非必(?!要)|绝不|絕不",
];
const DONE = ["完成|结束|結束|通过|通過|合并|合併|批准|完毕|完畢|成功|就绪|就緒"];
/** After "after …": then, must, use. */
const THEN = [
  "再|才|就|即|便|请|請|必|务|務|一律|应|應|需|须|須|方可|立即|使用|调用|調用|运行|運行|执行|執行",
];

/** Chinese, in both scripts. */
export const ZH = rulesIn("zh", [
  {
    id: "zh-verb-before-name",
    effect: "directs",
    when: {
      before: re`(?:使用|调用|調用|呼叫|执行|執行|运行|運行|加载|載入|遵循|启用|用)\s{0,2}${OPENING}$`,
    },
    matches: ["完成后，调用 code-review。"],
    rejects: ["完成后，看 code-review。"],
  },
  {
    id: "zh-must",
    effect: "must-word",
    when: { near: /必需|務必|务必|一定要|强制|不可或缺/ },
    matches: ["请务必使用 `code-review`。"],
    rejects: ["请使用 `code-review`。"],
  },
  {
    id: "zh-must-go-through",
    effect: "must-word",
    when: {
      near: re`(?<![无毋無必])[须須](?=先|通过|通過|经|經|由|使用|用|调用|調用|呼叫|执行|執行|加载|載入)`,
    },
    matches: ["所有提交均须通过 `code-review` 技能完成。"],
    rejects: ["所有提交无须通过 `code-review` 技能完成。"],
  },
  {
    id: "zh-use",
    effect: "use-word",
    when: {
      near: /调|調|执行|執行|运行|運行|加载|載入|阅读|閱讀|遵|通过|通過|先|走|由|交|经|經|必[須须]是|选|選|技能/,
    },
    matches: ["必须走 `code-review`。"],
    rejects: ["必须看 `code-review`。"],
  },
  {
    id: "zh-then-must-use",
    effect: "requires",
    when: {
      rest: re`^[^，,、；;。]{0,8}[，,、]\s*(?:且|并|並|請|请)?(?:必須|必须|務必|务必|一定要)(?:事先|预先|預先|首先|先)?${[...RUN, "閱讀|阅读"]}[^，,；;。]{0,4}(?:[，,；;。]|$)`,
    },
    matches: ["本技能依賴 `code-review`，必須事先載入。"],
    rejects: ["本技能依賴 `code-review`，必須事先載入所有相關的檔案。"],
  },
  {
    id: "zh-always",
    effect: "requires",
    when: { clause: /始终|始終|总是|總是|一律/ },
    needs: ["directive"],
    matches: ["始终使用 `code-review` 技能。"],
    rejects: ["偶尔使用 `code-review` 技能。"],
  },
  {
    id: "zh-name-explains",
    effect: "explains",
    when: { own: /说明|說明|解释|解釋|描述|為什麼|为什么/ },
    matches: ["`code-review` 技能会说明为什么必须使用测试。"],
    rejects: ["`code-review` 技能必须使用。"],
  },
  {
    id: "zh-before-using",
    effect: "before-using",
    when: { rest: re`^${CJK_NAME}[^、，,。；]{0,10}之前` },
    matches: ["在必须使用 `code-review` 之前，读完差异。"],
    rejects: ["必须使用 `code-review`。"],
  },
  {
    id: "zh-not",
    effect: "negates",
    when: { near: re`${NEGATIONS}` },
    matches: ["不要必须使用 `code-review`。"],
    rejects: ["必须使用 `code-review`。"],
  },
  {
    id: "zh-not-before-name-has-run",
    effect: "insists",
    when: {
      clause: re`(?:没有|沒有|未)(?:先)?${RUN}[过過]?\s?["'“「『]{0,2}$`,
      rest: re`^${CJK_NAME}(?:之前|以前|前|的情况下|的情況下|时|時)?[，,]?\s?${FORBIDDEN}`,
    },
    matches: ["没有运行过 `code-review` 之前，不得开始分析。"],
    rejects: ["运行过 `code-review` 之前，不得开始分析。"],
  },
  {
    id: "zh-if",
    effect: "condition",
    when: { text: /如果|若/ },
    matches: ["必须遵守：\n\n- 如果没有，使用 `code-review`"],
    rejects: ["必须遵守：\n\n- 使用 `code-review`"],
  },
  {
    id: "zh-optional",
    effect: "optional",
    when: { text: /任意|可选|可選/ },
    matches: ["完成后，可选：使用 `code-review`。"],
    rejects: ["完成后，使用 `code-review`。"],
  },
  {
    id: "zh-or-something-else",
    effect: "choice",
    when: { after: /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:或者?|或是)/i },
    matches: ["必须使用 `code-review` 或手动检查。"],
    rejects: ["必须使用 `code-review` 并手动检查。"],
  },
  {
    id: "zh-one-of",
    effect: "choice",
    when: { segment: /任选|任選|其一|二选一|二選一|任意一个|任一/ },
    matches: ["必须任选其一：`code-review`、`write-tests`。"],
    rejects: ["必须使用：`code-review`、`write-tests`。"],
  },
  {
    id: "zh-after",
    effect: "later",
    when: { text: re`${DONE}(?:[之以]?[後后]|了?[再才]|时|時|的时候|的時候)|之[後后]` },
    matches: ["必须在完成后调用 `code-review`。", "等测试通过再使用 `code-review`，这是强制的。"],
    rejects: ["必须在完成前调用 `code-review`。"],
  },
  {
    id: "zh-after-then",
    effect: "later",
    when: { text: re`(?<![今前先以然])[後后](?=\s?${THEN})` },
    matches: ["修复后必须再次调用 `code-review`。"],
    rejects: ["今后必须再次调用 `code-review`。"],
  },
  {
    id: "zh-after-clause",
    effect: "later-clause",
    when: { text: re`(?:${DONE}(?:的)?(?:时|時|时候|時候)|(?<![今前先以然])[後后])$|一旦.{0,30}${DONE}$` },
    matches: [
      "当代码评审的全部意见都已经解决后，必须使用 `code-review`。",
      "一旦合并完成，务必调用 `code-review`。",
    ],
    rejects: ["今后，必须使用 `code-review`。"],
  },
  {
    id: "zh-after-title",
    effect: "later-title",
    when: { text: re`${DONE}[之以]?[後后]|下一步` },
    matches: ["## 下一步\n\n必须使用 `code-review`。"],
    rejects: ["## 第一步\n\n必须使用 `code-review`。"],
  },
  {
    id: "zh-called-by-title",
    effect: "reversed",
    when: { text: /被.{0,6}[调調]用|[调調]用方|父技能/ },
    matches: ["## 被以下技能調用\n\n- `code-review`（必須）"],
    rejects: ["## 調用以下技能\n\n- `code-review`（必須）"],
  },
  {
    id: "zh-related-title",
    effect: "aside",
    when: { text: /相关|相關|参考|參考/ },
    matches: ["## 相关 (必须)\n\n- 使用 `code-review`"],
    rejects: ["## 步骤 (必须)\n\n- 使用 `code-review`"],
  },
  {
    id: "zh-not-for-title",
    effect: "not-here",
    when: { text: /不适用|不適用/ },
    matches: ["## 不适用的情况\n\n必须使用 `code-review`。"],
    rejects: ["## 适用的情况\n\n必须使用 `code-review`。"],
  },
  {
    id: "zh-choose-one-title",
    effect: "choice-title",
    when: { text: /任选|二選一|二选一|選擇其一|选择其一/ },
    matches: ["必须任选其中使用：\n\n- `code-review`"],
    rejects: ["必须使用：\n\n- `code-review`"],
  },
  {
    id: "zh-required-skills-title",
    effect: "lists-required",
    when: { text: /(?:必要|必備|必备|必需|前提|前置|必須|必须)\S{0,4}(?:技能|skills?)/i },
    matches: ["## 必備技能\n\n- `code-review`"],
    rejects: ["## 技能\n\n- `code-review`"],
  },
  {
    id: "zh-not-required-title",
    effect: "not-required-title",
    when: { text: /不是必/ },
    matches: ["## 这不是必须\n\n使用 `code-review`。"],
    rejects: ["## 这是必须\n\n使用 `code-review`。"],
  },
  {
    id: "zh-in-order",
    effect: "in-order",
    when: { text: /依序|按顺序/ },
    matches: ["必须按顺序执行：\n\n1. 思考。\n2. 调用 `code-review`。"],
    rejects: ["必须执行：\n\n1. 思考。\n2. 调用 `code-review`。"],
  },
  {
    id: "zh-example-title",
    effect: "example-title",
    when: { text: /範例|示例|例子|模板|反模式/ },
    matches: ["## 示例\n\n必须使用 `code-review`。"],
    rejects: ["## 步骤\n\n必须使用 `code-review`。"],
  },
  {
    id: "zh-template-lead-in",
    effect: "template-lead",
    when: { text: /模板|範本|格式/ },
    matches: ["格式如下：\n\n> 必须使用 `code-review`。"],
    rejects: ["如下：\n\n> 必须使用 `code-review`。"],
  },
  {
    id: "zh-for-example",
    effect: "instance",
    when: { before: /(?:例如|比如)[^)）]*$/ },
    matches: ["例如必须使用 `code-review`。"],
    rejects: ["所以必须使用 `code-review`。"],
  },
  {
    id: "zh-yes",
    effect: "yes",
    when: { text: /^[\s*_]*(?:是|必)/ },
    matches: ["| 技能 | 必须 |\n|---|---|\n| `code-review` | 是 |"],
    rejects: ["| 技能 | 必须 |\n|---|---|\n| `code-review` | 否 |"],
  },
  {
    id: "zh-skill-after-name",
    effect: "skill-word-after",
    when: { after: /^["'”’」』)\]]{0,2}\s{0,2}技能/ },
    matches: ["那个 code-review 技能。"],
    rejects: ["那个 code-review 工具。"],
  },
  {
    id: "zh-or",
    effect: "or",
    when: { between: re`${NAME_ENDS}(?:或者?|或是)\s*${NAME_BEGINS}` },
    matches: ["必须使用 `code-review` 或 `write-tests`。"],
    rejects: ["必须使用 `code-review` 和 `write-tests`。"],
  },
]);
