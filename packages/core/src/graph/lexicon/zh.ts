import { NAME_BEGINS, NAME_ENDS } from "./en-titles.ts";
import { CJK_NAME, OPENING, type Rule, re, rule } from "./rule.ts";

const RUN = ["运行|運行|执行|執行|使用|加载|載入|调用|調用|呼叫|通过|通過|完成"];
const FORBIDDEN = ["不得|不要|不能|不可|不许|不准|禁止|切勿|严禁|嚴禁"];
const NEGATIONS = [
  "不要(?!な)|不得|不可|请勿|請勿|切勿|勿|禁止|严禁|嚴禁|别|不能|不应|不應|无需|無需|无须|無須|毋须|毋須|不必",
  "不是|不一定|并非|並非|非必(?!要)|绝不|絕不",
];
const DONE = ["完成|结束|結束|通过|通過|合并|合併|批准|完毕|完畢|成功|就绪|就緒"];
/** After "after …": then, must, use. */
const THEN = [
  "再|才|就|即|便|请|請|必|务|務|一律|应|應|需|须|須|方可|立即|使用|调用|調用|运行|運行|执行|執行|触发|觸發",
];

/** Chinese, in both scripts. */
export const ZH: readonly Rule[] = [
  rule("zh-verb-before-name", "directs", {
    before: re`(?:使用|调用|調用|呼叫|执行|執行|运行|運行|加载|載入|遵循|启用|触发|觸發|[再才]做|用)\s{0,2}(?:[：:]\s?)?${OPENING}$`,
  }),
  rule("zh-told-one-word", "one-word-name", {
    before:
      /(?:(?:必須|必须|務必|务必|[再才])(?:使用|调用|調用|执行|執行|运行|運行|加载|載入|做)|触发|觸發)\s{0,2}$/,
  }),
  rule("zh-must", "must-word", { near: /必需|務必|务必|一定要|强制|不可或缺/ }),
  rule("zh-must-go-through", "must-word", {
    near: re`(?<![无毋無必])[须須](?=先|通过|通過|经|經|由|使用|用|调用|調用|呼叫|执行|執行|加载|載入)`,
  }),
  rule("zh-use", "use-word", {
    near: /调|調|执行|執行|运行|運行|触发|觸發|加载|載入|阅读|閱讀|遵|通过|通過|先|走|由|交|经|經|必[須须]是|选|選|技能/,
  }),
  rule("zh-then-must-use", "requires", {
    rest: re`^[^，,、；;。]{0,8}[，,、]\s*(?:且|并|並|請|请)?(?:必須|必须|務必|务必|一定要)(?:事先|预先|預先|首先|先)?${[...RUN, "閱讀|阅读"]}[^，,；;。]{0,4}(?:[，,；;。]|$)`,
  }),
  rule("zh-always", "requires", { clause: /始终|始終|总是|總是|一律/, needs: ["directive"] }),
  rule("zh-name-explains", "explains", { own: /说明|說明|解释|解釋|描述|為什麼|为什么/ }),
  rule("zh-before-using", "before-using", { rest: re`^${CJK_NAME}[^、，,。；]{0,10}之前` }),
  rule("zh-not", "negates", { near: re`${NEGATIONS}` }),
  rule("zh-not-before-name-has-run", "insists", {
    clause: re`(?:没有|沒有|未)(?:先)?${RUN}[过過]?\s?["'“「『]{0,2}$`,
    rest: re`^${CJK_NAME}(?:之前|以前|前|的情况下|的情況下|时|時)?[，,]?\s?${FORBIDDEN}`,
  }),
  rule("zh-if", "condition", { text: /如果|若/ }),
  rule("zh-optional", "optional", { text: /任意|可选|可選/ }),
  rule("zh-or-something-else", "choice", {
    after: /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:或者?|或是)/i,
  }),
  rule("zh-one-of", "choice", { segment: /任选|任選|其一|二选一|二選一|任意一个|任一/ }),
  rule("zh-after", "later", { text: re`${DONE}(?:[之以]?[後后]|了?[再才]|时|時|的时候|的時候)|之[後后]` }),
  rule("zh-next-phase", "later", { text: /下一?[个個]?(?:阶段|階段|步)(?:才|再|时|時|就|中|里|裡)/ }),
  rule("zh-after-then", "later", { text: re`(?<![今前先以然])[後后](?=\s?${THEN})` }),
  rule("zh-after-clause", "later-clause", {
    text: re`(?:${DONE}(?:的)?(?:时|時|时候|時候)|(?<![今前先以然])[後后])$|一旦.{0,30}${DONE}$`,
  }),
  rule("zh-after-title", "later-title", { text: re`${DONE}[之以]?[後后]|下一步` }),
  rule("zh-called-by-title", "reversed", { text: /被.{0,6}[调調]用|[调調]用方|父技能/ }),
  rule("zh-related-title", "aside", { text: /相关|相關|参考|參考/ }),
  rule("zh-not-for-title", "not-here", { text: /不适用|不適用/ }),
  rule("zh-choose-one-title", "choice-title", { text: /任选|二選一|二选一|選擇其一|选择其一/ }),
  rule("zh-required-skills-title", "lists-required", {
    text: /(?:必要|必備|必备|必需|前提|前置|必須|必须)\S{0,4}(?:技能|skills?)/i,
  }),
  rule("zh-not-required-title", "not-required-title", { text: /不是必/ }),
  rule("zh-in-order", "in-order", { text: /依序|按顺序/ }),
  rule("zh-example-title", "example-title", { text: /範例|示例|例子|模板|反模式/ }),
  rule("zh-template-lead-in", "template-lead", { text: /模板|範本|格式/ }),
  rule("zh-for-example", "instance", { before: /(?:例如|比如)[^)）]*$/ }),
  rule("zh-yes", "yes", { text: /^[\s*_]*(?:是|必)/ }),
  rule("zh-skill-after-name", "skill-word-after", { after: /^["'”’」』)\]]{0,2}\s{0,2}技能/ }),
  rule("zh-or", "or", { between: re`${NAME_ENDS}(?:或者?|或是)\s*${NAME_BEGINS}` }),
];
