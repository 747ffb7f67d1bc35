import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import { labelBefore } from "../references/label.ts";
import { listsRequired } from "../text/titles.ts";
import { cjkClauseBefore, withoutAsides } from "./clauses.ts";
import { requiredHead, requiredRow } from "./heads.ts";
import { reachOfModal } from "./modals.ts";
import type { Said } from "./said.ts";

/** The rules by which the sentence itself requires the skill. */
export function requiredBy(said: Said, header: string, lexicon: Lexicon): Why {
  const { isHead, isRow } = said;
  return (
    labelled(said, lexicon) ??
    told(said, lexicon) ??
    lexicon.why("requires", said) ??
    calledRequired(said, lexicon) ??
    listedHere(said, lexicon) ??
    (isHead ? requiredHead(said, lexicon) : null) ??
    (isRow ? requiredRow(said, header, lexicon) : null) ??
    requiredInCjk(said, lexicon)
  );
}

/** "REQUIRED SUB-SKILL: x", "REQUIRED: use x"; a label that begins a condition requires nothing. */
function labelled(said: Said, lexicon: Lexicon): Why {
  const label = labelBefore(said.before, lexicon);
  if (!label || (label.kind === "" && !said.directive) || lexicon.has("label-of-case", said)) return null;
  return [label.rule];
}

/** "must … use the x": the modal reaches the verb, and the verb the name. */
function told(said: Said, lexicon: Lexicon): Why {
  const modal = reachOfModal(withoutAsides(said.clause), lexicon);
  if (!modal) return null;
  const { text: reach, rule } = modal;
  const verb =
    said.directive ??
    lexicon.why("by-means-of", { reach, facts: said.facts }) ??
    lexicon.why("hands-over", { clause: reach }) ??
    lexicon.why("directs", { before: reach });
  return verb ? [rule, ...verb] : null;
}

/** "These skills are required: x, y" */
function listedHere({ before, first }: Said, lexicon: Lexicon): Why {
  if (!first.isMarked) return null;
  const lead = /^(.*[^\s:：])\s*[:：]\s*["'“(]?$/s.exec(before)?.[1];
  return lead === undefined ? null : listsRequired(lead, lexicon);
}

/** "Run x. This step is required." "Invoke x — this is mandatory" */
function calledRequired(said: Said, lexicon: Lexicon): Why {
  const { after, next, directive, first } = said;
  if (!first.isMarked) return null;
  for (const part of after.split(/\s[—–-]+\s|[;；]\s/).slice(1)) {
    const why = lexicon.says("it-is-required", part);
    if (why && (directive || /^\W*\w+ing\s/.test(part))) return why;
  }
  return directive || lexicon.has("needs-pass", said) ? lexicon.says("it-is-required", next) : null;
}

/** 必須, 必ず: in the clause of the name, but not about what comes before using it or what the skill explains. */
function requiredInCjk(said: Said, lexicon: Lexicon): Why {
  if (lexicon.has("before-using", said) || lexicon.has("explains", said)) return null;
  const near = `${cjkClauseBefore(said.before)} ${said.own}`;
  const must = lexicon.why("must-word", { near });
  const use = must && lexicon.why("use-word", { near });
  return use ? [...must, ...use] : null;
}
