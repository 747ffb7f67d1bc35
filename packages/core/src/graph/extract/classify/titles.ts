import { reachOfModal } from "./modals.ts";
import { CJK_MUST } from "./words.ts";

/** What a heading or a lead-in says of everything under it. */

const REVERSED =
  /^[\s\W\d]*(?:called|used|invoked|triggered|loaded|required|consumed|dispatched|depended\s+on|referenced)\s+(?:by|from)\b|^[\s\W\d]*(?:parent|calling|caller|upstream)\s+skills?\b|^[\s\W\d]*callers?\s*[:：]?$|呼び出し元|親スキル|被.{0,6}[调調]用|[调調]用方|父技能/i;
const ASIDE =
  /\b(?:related|see also|references?|when not to|not to use|do not use|don't use|not for|out of scope|limitations?|instead|companions?|works? with|pairs? with|integrat\w+)\b|関連|相关|相關|参考|參考/i;
const NOT_HERE =
  /\b(?:when not to|not to use|do not use|don't use|not for|out of scope|never)\b|使わない|不适用|不適用/i;
const CHOICE =
  /\beither\b|\bone of\b|\bchoose\b|\bpick one\b|\bwhichever\b|\boptions?\b|\bif\b.*\b(?:chosen|selected|chose(?!\s+["“']?(?:yes|no)\b)|picked|preferred)\b|いずれか|任选|二選一|二选一|選擇其一|选择其一/i;
const OF_SKILLS =
  /^[\s\W\d]*requires?\s*(?:[:：(（]|$)|\bprerequisite\s+skills?\b|(?:必要|必備|必备|必需|前提|前置)\S{0,4}(?:技能|スキル)|\bmust\s+(?:all\s+|already\s+)?be\s+(?:loaded|read|invoked|used|run)\b|(?:required|mandatory|必須|必须)(?:\s+\w+){0,2}\W*(?:sub-?)?(?:skills?\b|スキル|技能|background\b|reading\b|サブスキル)|skills?\W{1,3}(?:are\s+|is\s+)?\(?(?:required|mandatory)|\b(?:must|always)\b[^.]{0,60}\b(?:use|invoke|load|run|call|follow|apply|read)\b|(?:必ず|必须|必須|務必|务必).{0,30}(?:使|用|呼|调|調|実行|执行|読|加载|skill|スキル|技能)/i;
const OF_STEPS =
  /^[\s\W\d]*(?:required|mandatory|must)\s*[:：—–]|\b(?:is|are)\s+(?:mandatory|required)\b|(?:required|mandatory)\W+(?:\w+\W+){0,2}(?:steps?|workflow|protocol|process|sequence|order|actions?|first)\b|\((?:[^()]*\W)?(?:required|mandatory|always|must)(?:\W[^()]*)?\)/i;
const LOUD = /\b(?:MUST|ALWAYS|MANDATORY)\b(?!\s+(?:NOT|not|be|have|exist))/;
/** "You must:", "the agent must also run …:" and not "a session must exist:" */
const TO_DO =
  /^\W*$|^\W*(?:\w+\W+){0,3}(?:use|run|invoke|load|call|follow|apply|read|do|complete|execute|perform|create|check|take|work|go|pick|choose|select)\b/i;

export const isReversed = (title: string): boolean => REVERSED.test(title);
/** Skills that go with this one, or stand for what it does not do: only an explicit word requires them. */
export const isAside = (title: string): boolean => ASIDE.test(title);
export const isNotHere = (title: string): boolean => NOT_HERE.test(title);
export const isChoice = (title: string): boolean => CHOICE.test(title);
export const isInOrder = (title: string): boolean =>
  /\bin\s+(?:this\s+)?order\b|\bsequen|順に|依序|按顺序|順番/i.test(title);

/** "Load and follow them:" under a heading that requires; what it lists is listed by the heading too. */
export function leadsOn(leadIn: string): boolean {
  if (
    /\b(?:if|when|needed|optional\w*|may|can|only|either|one of|choose|depending|not|never)\b/i.test(leadIn)
  )
    return false;
  return /\b(?:load|use|invoke|follow|read|run|call|these|following|delegated)\b/i.test(leadIn);
}

/** "You MUST use these skills:", "Required skills": what is listed below is required. */
export function requiresListed(title: string): boolean {
  return title.length < 400 && OF_SKILLS.test(title) && !isExcused(title);
}

/** "Safety protocol (ALWAYS follow)": what the text below tells to do is required. */
export function requiresSteps(title: string, isLeadIn: boolean): boolean {
  if (title.length >= 400 || isExcused(title)) return false;
  if (CJK_MUST.test(title) || OF_SKILLS.test(title) || OF_STEPS.test(title)) return true;
  if (!isLeadIn) return LOUD.test(title);
  const reach = reachOfModal(title);
  return reach !== null && TO_DO.test(reach.replace(/[:：]\W*$/, ""));
}

function isExcused(title: string): boolean {
  return /\b(?:not|never|no|isn't|without)\b[^.]{0,20}\b(?:required|mandatory|must)\b|\b(?:must|required)\s+(?:not|never)\b|\bif\s+required\b|不是必/i.test(
    title,
  );
}
