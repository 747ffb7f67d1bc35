import { segmentBefore } from "./clauses.ts";
import type { Found } from "./reference.ts";
import {
  BARE_LABEL,
  BETWEEN,
  CJK_ALWAYS,
  CJK_MUST,
  CJK_VERB,
  DIRECTIVE_END,
  HANDING_END,
  LABEL,
  MODAL,
  MUST_BE_WITH,
  REQUIRED_AFTER,
  REQUIRED_CELL,
  REQUIRED_OF_HEAD,
} from "./words.ts";

/** The words around the names of a group, by how near they are. */
export interface Said {
  /** From the beginning of the sentence; of its last clause. */
  readonly before: string;
  readonly clause: string;
  /** To the end of the sentence; of its first clause. */
  readonly after: string;
  readonly rest: string;
  /** The sentences after it, of an item that begins with the skill. */
  readonly tail: string;
  readonly isDirective: boolean;
  /** Whether its item, row or heading begins with it. */
  readonly isHead: boolean;
  readonly isRow: boolean;
  readonly first: Found;
}

const NOT = "\\b(?:never|do not|don't|must not|cannot|can't|may not)\\b";
const DO_SOMETHING =
  "(?:first|having|running|run|using|used|invoking|invoked|loading|loaded|calling|reading|the|a)";
const INSISTED = new RegExp(
  `${NOT}\\s+(?:ever\\s+)?(?:skip|omit|bypass|forget|waive)\\b|${NOT}[^.;]{1,60}\\bwithout\\s+(?:${DO_SOMETHING}\\s+){0,4}\\W{0,3}$`,
  "i",
);
const VERB = "(?:use|run|invoke|load|call|follow|apply|read)";
const TOLD_LIST = new RegExp(`\\b(?:must|always)\\s+${VERB}\\b[^.;:：()]{0,40}[:：]\\s*\\W{0,2}$`, "i");
const TOLD_IN_BRACKETS = new RegExp(
  `\\((?:must|always)\\s+${VERB}\\b[^()]{0,40}\\)\\W{0,3}[:：][^.;:：]{0,80}(?:[\\w.-]+:)?$`,
  "i",
);

/** "Never skip x", "do not go on without x" */
export function isInsisted(clause: string): boolean {
  return INSISTED.test(clause);
}

/** Whether the sentence itself requires it. */
export function isRequired(said: Said): boolean {
  const { before, clause, after, rest, isDirective, isHead, isRow, first } = said;
  const label = LABEL.exec(before)?.groups;
  if (label && (label.kind || isDirective)) return true;
  // "Required: campaigns:create" is a permission.
  if (first.isMarked && !/^\w+$/.test(first.name) && BARE_LABEL.test(before)) return true;
  if (MUST_BE_WITH.test(clause)) return true;
  if (isTold(clause, isDirective) || TOLD_LIST.test(before) || TOLD_IN_BRACKETS.test(before)) return true;
  // "the manifest from x (required)": that is said of the manifest.
  const isOfOther = /\b(?:from|by|of|see)\s+\W?$/i.test(before);
  if (first.isMarked && REQUIRED_AFTER.some((pattern, at) => (at === 0 || !isOfOther) && pattern.test(after)))
    return true;
  if (isHead && isRequiredHead(said)) return true;
  if (isRow && isRequiredRow(said)) return true;
  if (isDirective && /[(,—]\s*always\b(?!\s+(?:be|have)\b)/i.test(rest)) return true;
  if (first.isMarked && /\brequires?\s+(?:(?:the|sibling|skill)\s+)*["'“(]?$/i.test(clause)) return true;
  return isRequiredInCjk(before, rest) || (isDirective && CJK_ALWAYS.test(clause));
}

/** "must … use the x": the modal reaches the verb, and the verb the name. */
function isTold(clause: string, isDirective: boolean): boolean {
  const plain = clause.replaceAll(/,\s*(?:before|when|if|after|while)\b[^,]*,/gi, " ");
  let at = -1;
  for (const { index, 0: modal } of plain.matchAll(MODAL)) at = index + modal.length;
  if (at < 0) return false;
  const reach = plain.slice(at);
  return !BETWEEN.test(reach) && (isDirective || HANDING_END.test(reach) || DIRECTIVE_END.test(reach));
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
function isRequiredRow({ before, after, isHead }: Said): boolean {
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

/** 必須, 必ず: in the clause of the name, and not of what comes before using it. */
function isRequiredInCjk(before: string, rest: string): boolean {
  if (/^["'”’」』`)\]]{0,2}\s?(?:スキル|技能)?\s?[^、，,。；]{0,10}(?:前に|前は|まえに|之前)/.test(rest))
    return false;
  // A Japanese clause ends in a verb: "…を使い、".
  const clause =
    segmentBefore(before)
      .split(/(?<=[いてしりみきちぎ])、/)
      .at(-1) ?? "";
  const near = `${clause} ${/^[^，,；;]*/.exec(rest)?.[0] ?? ""}`;
  return CJK_MUST.test(near) && CJK_VERB.test(near);
}
