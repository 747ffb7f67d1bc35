import { NOT_OPTIONAL } from "./words.ts";

const NOT = "\\b(?:never|do not|don't|must not|cannot|can't|may not)\\b";
const DO_SOMETHING =
  "(?:first|having|running|run|using|used|invoking|invoked|loading|loaded|calling|reading|the|a)";
const DONE_FIRST =
  "(?:having\\s+)?(?:run|running|used|using|invoked|invoking|loaded|loading|called|calling|read|reading|completed|completing)";
const INSISTED = new RegExp(
  `${NOT}[^.;]{1,90}\\b(?:until|before|unless)\\s+(?:(?:you|we|it|has|have|you've|the|agent|user)\\s+){0,4}(?:${DONE_FIRST})\\s+(?:the\\s+)?\\W{0,3}(?:[\\w.-]+:)?$|${NOT}\\s+(?:ever\\s+)?(?:skip|omit|bypass|forget|waive)\\b|(?:${NOT}|\\b(?:no|nothing)\\b(?!\\s+(?:need|longer|problem|issue|matter|more|extra|additional)))[^.;]{1,60}\\bwithout\\s+(?:${DO_SOMETHING}\\s+){0,4}\\W{0,3}$`,
  "i",
);
/** "没有运行 x 之前，不得…" */
const NOT_YET =
  /(?:没有|沒有|未)(?:先)?(?:运行|運行|执行|執行|使用|加载|載入|调用|調用|呼叫|通过|通過|完成)[过過]?\s?["'“「『]{0,2}$/;
const THEN_NOT =
  /^["'”’」』`)\]]{0,2}\s?(?:技能)?\s?(?:之前|以前|前|的情况下|的情況下|时|時)?[，,]?\s?(?:不得|不要|不能|不可|不许|不准|禁止|切勿|严禁|嚴禁)/;
/** "x を実行せずに…てはならない" */
const WITHOUT_NOT =
  /^["'”’」』`)\]]{0,2}\s?(?:スキル)?\s?(?:を|の)\s?[^、。]{0,8}(?:せず|ず|ないで|ないまま|なし)に?[^。]{0,30}(?:てはなら|てはいけ|禁止|しないこと|進まないこと|ないでください)/;
/** "do not go on until x has run" */
const NOT_UNTIL = new RegExp(
  `${NOT}[^.;]{1,90}\\b(?:until|before|unless)\\s+(?:the\\s+)?\\W{0,3}(?:[\\w.-]+:)?$`,
  "i",
);
const HAS_RUN =
  /^\W{0,3}(?:skills?\s+)?(?:has|have)\s+(?:been\s+)?(?:run|completed|finished|passed|succeeded|loaded|invoked|approved)\b/i;

/** "Skipping x is not allowed" */
const SKIPPING = /\b(?:skipping|omitting|bypassing|leaving\s+out)\s+(?:the\s+)?["'“/]{0,2}$/i;
const NOT_ALLOWED =
  /^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:strictly\s+)?(?:(?:not|never)\s+(?:allowed|permitted|acceptable|an\s+option)|forbidden|prohibited)\b/i;

/** "Never skip x", "do not go on without x", "x may not be skipped" */
export function isInsisted(clause: string, rest: string): boolean {
  if (INSISTED.test(clause) || NOT_OPTIONAL.test(rest)) return true;
  if (SKIPPING.test(clause) && NOT_ALLOWED.test(rest)) return true;
  if (NOT_UNTIL.test(clause) && HAS_RUN.test(rest)) return true;
  return (NOT_YET.test(clause) && THEN_NOT.test(rest)) || WITHOUT_NOT.test(rest);
}
