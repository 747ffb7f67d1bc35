import type { Found } from "../references/reference.ts";
import { segmentBefore } from "./clauses.ts";
import { reachOfModal } from "./modals.ts";
import { requiresListed } from "./titles.ts";
import {
  BARE_LABEL,
  BE_DONE_WITH,
  CJK_ALWAYS,
  CJK_MUST,
  CJK_VERB,
  DIRECTIVE_END,
  FIRST_STEP,
  HANDING_END,
  IT_IS_REQUIRED,
  LABEL,
  MUST_BE_WITH,
  OF_LIKENESS,
  REQUIRED_AFTER,
  REQUIRED_BRACKET,
  REQUIRED_CELL,
  REQUIRED_COLUMN,
  REQUIRED_LAST,
  REQUIRED_OF_HEAD,
  TAG_LABEL,
  WHICH_MUST,
  WITH_END,
  YES,
} from "./words.ts";

/** The words around the names of a group, by how near they are. */
export interface Said {
  /** From the beginning of the sentence; of its last clause. */
  readonly before: string;
  readonly clause: string;
  /** To the end of the sentence; of its first clause. */
  readonly after: string;
  readonly rest: string;
  /** The sentences after it; of an item that begins with the skill, or else the next one alone. */
  readonly tail: string;
  readonly next: string;
  readonly isDirective: boolean;
  /** Whether its item, row or heading begins with it. */
  readonly isHead: boolean;
  readonly isRow: boolean;
  readonly header: string;
  readonly first: Found;
}

const VERB = "(?:use|run|invoke|load|call|follow|apply|read)";
const TOLD_LIST = new RegExp(`\\b(?:must|always)\\s+${VERB}\\b[^.;:：()]{0,40}[:：]\\s*\\W{0,2}$`, "i");
/** "must, in all cases, use ", "first — and this is mandatory — run " */
const TOLD_ASIDE =
  /\b(?:must|shall|always),[^,;:.]{1,80},\s[^,;:.]*$|[—–(]\s*(?:and\s+)?this\s+is\s+(?:mandatory|required)\s*[—–)]\s*[^,;:.]*$/i;
const TOLD_IN_BRACKETS = new RegExp(
  `\\((?:must|always)\\s+${VERB}\\b[^()]{0,40}\\)\\W{0,3}[:：][^.;:：]{0,80}(?:[\\w.-]+:)?$`,
  "i",
);

/** Whether the sentence itself requires it. */
export function isRequired(said: Said): boolean {
  const { before, clause, after, rest, isDirective, isHead, isRow, first } = said;
  const label = LABEL.exec(before)?.groups;
  // "REQUIRED BACKGROUND: If x is active …" speaks of a case.
  if (label && (label.kind || isDirective) && !/^\W*(?:if|unless|whether)\s+(?:the\s+)?\W*$/i.test(clause))
    return true;
  // "Required: campaigns:create" is a permission.
  if (first.isMarked && !/^\w+$/.test(first.name) && BARE_LABEL.test(before)) return true;
  if (MUST_BE_WITH.test(clause) || FIRST_STEP.test(before)) return true;
  if (isItRequired(said)) return true;
  if (isDirective && (TOLD_ASIDE.test(before) || TAG_LABEL.test(before))) return true;
  if (first.isMarked && (WHICH_MUST.test(after) || isListHere(before))) return true;
  if (isTold(clause, said) || TOLD_LIST.test(before) || TOLD_IN_BRACKETS.test(before)) return true;
  // "the manifest from x (required)": that is said of the manifest.
  const isOfOther = /\b(?:from|by|of|see)\s+\W?$/i.test(before);
  if (first.isMarked && REQUIRED_AFTER.some((pattern, at) => (at === 0 || !isOfOther) && pattern.test(after)))
    return true;
  if (isHead && isRequiredHead(said)) return true;
  if (isRow && isRequiredRow(said)) return true;
  if (isMarkedMeans(said)) return true;
  if (isDirective && (REQUIRED_LAST.test(after) || REQUIRED_BRACKET.test(after))) return true;
  if (isDirective && /[(,—]\s*always\b(?!\s+(?:be|have)\b)/i.test(rest)) return true;
  if (first.isMarked && /\brequires?\s+(?:(?:the|sibling|skill)\s+)*["'“(]?$/i.test(clause)) return true;
  // A name alone may be a program's: "Requires: jq".
  if (/^\W{0,3}skills?\b/i.test(after) && /\brequires?:\s+\W?$/i.test(before)) return true;
  return isRequiredInCjk(before, rest) || (isDirective && CJK_ALWAYS.test(clause));
}

/** "must … use the x": the modal reaches the verb, and the verb the name. */
function isTold(clause: string, { isDirective, first }: Said): boolean {
  const plain = clause.replaceAll(
    /,\s*(?:before|when|if|after|while|in|at|on|for|under|without|regardless|whatever|however|as|by)\b[^,]*,/gi,
    " ",
  );
  const reach = reachOfModal(plain);
  if (reach === null) return false;
  // "must be wired through x" tells how something is made, and not to use a skill.
  const isMeans =
    first.isMarked && WITH_END.test(reach) && !/^\s+be\b/.test(reach) && !OF_LIKENESS.test(reach);
  return isDirective || isMeans || HANDING_END.test(reach) || DIRECTIVE_END.test(reach);
}

/** "must be carried out with the x skill" */
function isMarkedMeans({ clause, after }: Said): boolean {
  const reach = reachOfModal(clause);
  if (reach === null || !/^\W{0,3}(?:skills?|スキル|技能)/i.test(after)) return false;
  return BE_DONE_WITH.test(reach) && !OF_LIKENESS.test(reach);
}

/** "These skills are required: x, y" */
function isListHere(before: string): boolean {
  const lead = /^(.*[^\s:：])\s*[:：]\s*["'“(]?$/s.exec(before)?.[1];
  return lead !== undefined && requiresListed(lead);
}

/** "Run x. This step is required." "Invoke x — this is mandatory" */
function isItRequired({ clause, after, next, isDirective, first }: Said): boolean {
  if (!first.isMarked) return false;
  const own = after.split(/\s[—–-]+\s|[;；]\s/).slice(1);
  if (own.some((part) => IT_IS_REQUIRED.test(part) && (isDirective || /^\W*\w+ing\s/.test(part))))
    return true;
  const isAsked =
    isDirective || /\b(?:needs?|gets?|passes|goes\s+through)\s+(?:an?\s+|the\s+)?\W?$/i.test(clause);
  return isAsked && IT_IS_REQUIRED.test(next);
}

/** What an item or row says of the skill that it begins with. */
function isRequiredHead({ after, rest, tail, isRow, first }: Said): boolean {
  if (REQUIRED_OF_HEAD.some((pattern) => pattern.test(isRow ? after : rest + after))) return true;
  // In a sentence of its own it must come first: "Foundation skill. ALWAYS load before writing."
  const next = tail.split(/[.!。]\s+/).filter((part) => /^\W*(?:always|must)\b/i.test(part));
  if (next.some((part) => REQUIRED_OF_HEAD.some((pattern) => pattern.test(part)))) return true;
  const role = ROLE.exec(after);
  // "qsar-modeling - mandatory upstream for QSAR": there this skill is the one that is required.
  return role !== null && !isOfItself(role.groups?.purpose ?? "", first.name);
}

const ROLE =
  /^\W{0,2}(?:skills?)?\s*[-–—:]+\s*(?:(?:required|mandatory)\s+(?:(?:upstream|first|step|gate|prerequisite|companion|overlay|before|beforehand)\b|for\b|[.;)]|$)|(?:[\w-]+\s+){1,8}(?:is|are)\s+(?:required|mandatory)\s+(?:upstream|first|beforehand)\b|(?:required|mandatory)\s*(?:[.;]|$))(?:\s+(?:for\s+)?(?<purpose>[\w-]+))?/i;

function isOfItself(purpose: string, name: string): boolean {
  const words = name.toLowerCase().split(/[-_]/);
  return purpose !== "" && words.includes(purpose.toLowerCase());
}

/** "| 1 (REQUIRED) | x |", "| x | required |", "mandatory check -> x" */
function isRequiredRow({ before, after, isHead, header }: Said): boolean {
  if (isHead && isTicked(header, before + after)) return true;
  if (/\b(?:mandatory|required)\s+(?:[\w/-]+\s+){0,3}(?:->|→)\s*\W{0,2}(?:[\w-]+\/)?$/i.test(before))
    return true;
  const cells = before.split("|").slice(0, -1);
  if (cells.some((cell) => REQUIRED_CELL.test(cell))) return true;
  return (
    isHead &&
    after
      .split("|")
      .slice(1)
      .some((cell) => REQUIRED_CELL.test(cell) && !/\(/.test(cell))
  );
}

/** What stands before an open bracket is not said of what is in it: "必ず…（x を参照）". */
function withoutClosed(text: string): string {
  return /[(（]([^()（）]*)$/.exec(text)?.[1] ?? text;
}

/** "依賴 x，必須事先載入": a verb without an object of its own. */
const CJK_MUST_THEN =
  /^[^，,、；;。]{0,8}[，,、]\s*(?:且|并|並|請|请)?(?:必須|必须|務必|务必|必ず|一定要)(?:事先|预先|預先|首先|先に?)?(?:載入|加载|使用|调用|調用|呼叫|执行|執行|閱讀|阅读|読み込|実行)[^，,；;。]{0,4}(?:[，,；;。]|$)/;

/** A "yes" in the column "Required". */
function isTicked(header: string, row: string): boolean {
  const cells = row.split("|");
  return header
    .split("|")
    .some((title, at) => REQUIRED_COLUMN.test(title) && YES.test(cells[at]?.trim() ?? ""));
}

/** 必須, 必ず: in the clause of the name, and not of what comes before using it. */
function isRequiredInCjk(before: string, rest: string): boolean {
  if (/^["'”’」』`)\]]{0,2}\s?(?:スキル|技能)?\s?[^、，,。；]{0,10}(?:前に|前は|まえに|之前)/.test(rest))
    return false;
  // A Japanese clause ends in a verb: "…を使い、".
  const clause =
    withoutClosed(segmentBefore(before))
      .split(/(?<=[いてしりみきちぎ])、/)
      .at(-1) ?? "";
  const own = /^[^，,；;]*/.exec(rest)?.[0] ?? "";
  // "x 会说明为什么…必须…": what x tells of.
  if (/(?:说明|說明|解释|解釋|描述|為什麼|为什么|理由|説明)/.test(own)) return false;
  const near = `${clause} ${own}`;
  return (CJK_MUST.test(near) && CJK_VERB.test(near)) || CJK_MUST_THEN.test(rest);
}
