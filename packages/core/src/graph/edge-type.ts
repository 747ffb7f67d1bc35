import type { EdgeType } from "./edge.ts";
import { lexicon, type Why } from "./lexicon/lexicon.ts";
import {
  cjkClauseAfter,
  cjkClauseBefore,
  isGroupQuoted,
  NameContext,
  reachOfModal,
  withoutAsides,
} from "./name-context.ts";
import { exampleOf, listsRequired, type Passage, type Sentence } from "./passages.ts";
import { type FoundReference, labelBefore } from "./references.ts";

/** References that share one statement: "a and b", "a or b". */
interface Group {
  readonly found: readonly FoundReference[];
  readonly choice: Why;
  readonly next?: number;
}

export interface Typed {
  readonly type: EdgeType;
  readonly alternative: boolean;
  readonly rules: readonly string[];
}

/** Without a word that requires it, a skill is only mentioned. */
export function typeOf(group: Group, sentence: Sentence, passage: Passage): Typed {
  const { text } = passage;
  const first = group.found[0]!;
  const last = group.found.at(-1)!;
  const mention = (why: Why, choice: Why = group.choice): Typed => made("reference_only", why, choice);
  const example = exampleOf(passage);
  if (example) return mention(example);
  if (group.found.some(({ isCode }) => isCode)) return mention(["inside-code"]);
  if (group.found.some(({ isFile }) => isFile)) return mention(["file-of-skill"]);
  const said = new NameContext(passage, sentence, first, last);
  const { before, rest, whole, directive, isHead } = said;
  const shown =
    lexicon.says("shown", whole) ?? lexicon.why("instance", said) ?? lexicon.says("question", whole);
  if (shown) return mention(shown);
  if (isGroupQuoted(text, sentence, first, last)) return mention(["quoted"]);
  const [heading = ""] = passage.headings;
  const leadIn = passage.leadIns[0] ?? "";
  const notHere = lexicon.saysOf("not-here", [heading, ...passage.leadIns]);
  if (notHere) return mention(notHere);
  for (const [effect, type] of STATED) {
    const why = lexicon.why(effect, said);
    if (why) return made(type, why, group.choice);
  }
  const insisted = lexicon.why("insists", said);
  const negated = insisted ? null : negatedBy(said);
  if (negated) return mention(negated);

  const own = insisted ?? requiredBy(said, passage.header);
  const isCase = lexicon.says("condition", before) !== null;
  const isStep = directive !== null || (first.isMarked && lexicon.has("means", said));
  const required = own ?? (isCase ? null : inheritedFrom(passage, isStep, isHead));
  const choice = group.choice ?? lexicon.why("choice", said) ?? lexicon.says("choice-title", leadIn);
  // Most sentences only mention a skill; then the time does not matter.
  if (!required && !directive && !isHead) return mention(null, choice);
  const toldOfHead = headToldLater(said);
  const until = group.next === undefined ? rest : text.slice(last.end, group.next);
  const soon = toldOfHead ?? saidLater(said, until);
  const later = soon ?? laterStep(passage, required !== null && own === null);
  if (!later) return required ? made("requires_now", required, choice) : mention(null, choice);
  if (required) return made("requires_later", [...required, ...later], choice);
  // Not required, but the sentence says to use it later.
  const isBranch = isCase || lexicon.says("condition", leadIn) !== null;
  const isTold =
    ((directive !== null || toldOfHead !== null) &&
      (soon !== null || !isBranch) &&
      !lexicon.says("optional", whole)) ||
    (isHead && isForLater(leadIn) && lexicon.says("runs-listed", leadIn));
  if (!isTold || lexicon.says("aside", heading) || lexicon.says("aside", leadIn))
    return mention(null, choice);
  return made("requires_later", [...(directive ?? []), ...later], choice);
}

/** "requires_now: x", "x (requires_later)": the type in its own spelling. */
const STATED = [
  ["typed-reference", "reference_only"],
  ["typed-later", "requires_later"],
  ["typed-now", "requires_now"],
] as const;

function made(type: EdgeType, why: Why, choice: Why): Typed {
  return { type, alternative: choice !== null, rules: [...(why ?? []), ...(choice ?? [])] };
}

const FAR = 80;

export function groupsOf(found: readonly FoundReference[], text: string, from: number): Group[] {
  const groups: { found: FoundReference[]; choice: Why; next?: number }[] = [];
  for (const one of found) {
    const group = groups.at(-1);
    if (!group) {
      groups.push({ found: [one], choice: null });
      continue;
    }
    const between = text.slice(group.found.at(-1)!.end, one.start);
    const or = between.length < FAR ? lexicon.why("or", { between }) : null;
    if (or || isJoined(group.found[0]!, between, text, from)) {
      group.found.push(one);
      group.choice ??= or;
    } else {
      group.next = one.start;
      groups.push({ found: [one], choice: null });
    }
  }
  return groups;
}

/** "x and y"; in "unlike x, y …" the comma ends the part about x. */
function isJoined(first: FoundReference, between: string, text: string, from: number): boolean {
  if (between.length >= FAR || !lexicon.has("and", { between })) return false;
  return !lexicon.has("set-apart", { before: text.slice(from, first.start), between });
}

/** How far a Chinese or Japanese negation reaches. */
const NEAR = 30;

/** "do NOT invoke", "rather than", 不要 */
function negatedBy({ clause, rest }: NameContext): Why {
  const own = cjkClauseAfter(rest);
  const left = clause.slice(-NEAR);
  const isMust = lexicon.has("must-word", { near: left + own.slice(0, NEAR) });
  return lexicon.why("negates", { clause, rest, near: `${left} ${(isMust ? own : rest).slice(0, NEAR)}` });
}

function requiredBy(said: NameContext, header: string): Why {
  const { isHead, isRow } = said;
  return (
    labelled(said) ??
    told(said) ??
    lexicon.why("requires", said) ??
    calledRequired(said) ??
    listedHere(said) ??
    (isHead ? requiredHead(said) : null) ??
    (isRow ? requiredRow(said, header) : null) ??
    requiredInCjk(said)
  );
}

/** "REQUIRED SUB-SKILL: x", "REQUIRED: use x"; a label that begins a condition requires nothing. */
function labelled(said: NameContext): Why {
  const label = labelBefore(said.before);
  if (!label || (label.kind === "" && !said.directive) || lexicon.has("label-of-case", said)) return null;
  return [label.rule];
}

/** "must … use the x": the modal reaches the verb, and the verb the name. */
function told(said: NameContext): Why {
  const modal = reachOfModal(withoutAsides(said.clause));
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
function listedHere({ before, first }: NameContext): Why {
  if (!first.isMarked) return null;
  const lead = /^(.*[^\s:：])\s*[:：]\s*["'“(]?$/s.exec(before)?.[1];
  return lead === undefined ? null : listsRequired(lead);
}

/** "Run x. This step is required." "Invoke x — this is mandatory" */
function calledRequired(said: NameContext): Why {
  const { after, next, directive, first } = said;
  if (!first.isMarked) return null;
  for (const part of after.split(/\s[—–-]+\s|[;；]\s/).slice(1)) {
    const why = lexicon.says("it-is-required", part);
    if (why && (directive || /^\W*\w+ing\s/.test(part))) return why;
  }
  return directive || lexicon.has("needs-pass", said) ? lexicon.says("it-is-required", next) : null;
}

/** 必須, 必ず: in the clause of the name, but not about what comes before using it or what the skill explains. */
function requiredInCjk(said: NameContext): Why {
  if (lexicon.has("before-using", said) || lexicon.has("explains", said)) return null;
  const near = `${cjkClauseBefore(said.before)} ${said.own}`;
  const must = lexicon.why("must-word", { near });
  const use = must && lexicon.why("use-word", { near });
  return use ? [...must, ...use] : null;
}

function requiredHead({ after, rest, tail, isRow, first }: NameContext): Why {
  // As a separate sentence it must come first: "Foundation skill. ALWAYS load before writing."
  const loud = tail.split(/[.!。]\s+/).filter((part) => /^\W*(?:always|must)\b/i.test(part));
  const own = lexicon.saysOf("requires-head", [isRow ? after : rest + after, ...loud]);
  if (own) return own;
  const role = lexicon.match("head-role", after);
  // "qsar-modeling - mandatory upstream for QSAR": here the current skill is the required one.
  return role && !isOfItself(role.match.groups?.purpose ?? "", first.name) ? [role.rule.id] : null;
}

function isOfItself(purpose: string, name: string): boolean {
  const words = name.toLowerCase().split(/[-_]/);
  return purpose !== "" && words.includes(purpose.toLowerCase());
}

/** "| 1 (REQUIRED) | x |", "| x | required |", a "yes" in the column "Required" */
function requiredRow({ before, after, isHead }: NameContext, header: string): Why {
  const why = lexicon.saysOf("required-cell", before.split("|").slice(0, -1));
  if (why || !isHead) return why;
  const cells = after.split("|").slice(1);
  const plain = cells.filter((cell) => !cell.includes("("));
  return lexicon.saysOf("required-cell", plain) ?? ticked(header, before + after);
}

function ticked(header: string, row: string): Why {
  const cells = row.split("|");
  for (const [at, title] of header.split("|").entries()) {
    const column = lexicon.says("required-column", title);
    const yes = column && lexicon.says("yes", cells[at]?.trim() ?? "");
    if (yes) return [...column, ...yes];
  }
  return null;
}

const LONGEST_TITLE = 400;

function inheritedFrom(passage: Passage, isStep: boolean, isHead: boolean): Why {
  const { headings, leadIns, kind } = passage;
  const [heading = ""] = headings;
  const [leadIn] = leadIns;
  const isListed = isHead && kind !== "heading";
  if (leadIn !== undefined) {
    const why = (isListed ? listsRequired(leadIn) : null) ?? (isStep ? requiresSteps(leadIn, true) : null);
    if (why) return why;
  }
  const listed = listsRequired(heading);
  if (!listed && lexicon.says("aside", heading)) return null;
  // "Load and follow them:" under a heading that requires; the heading applies to the list too.
  const leadsOn =
    leadIn === undefined || (!lexicon.says("leads-elsewhere", leadIn) && lexicon.says("leads-on", leadIn));
  if (isListed && listed && leadsOn) return listed;
  return isStep ? requiresSteps(heading, false) : null;
}

/** "Safety protocol (ALWAYS follow)": instructions below it are required. */
function requiresSteps(title: string, isLeadIn: boolean): Why {
  if (title.length >= LONGEST_TITLE || lexicon.says("not-required-title", title)) return null;
  const why =
    lexicon.why("must-word", { near: title }) ??
    lexicon.says("lists-required", title) ??
    lexicon.says("steps-required", title);
  if (why) return why;
  if (!isLeadIn) return lexicon.says("loud-title", title);
  const reach = reachOfModal(title);
  const isToDo = reach && lexicon.says("to-do", reach.text.replace(/[:：]\W*$/, ""));
  return isToDo ? [reach.rule] : null;
}

/** An item or row says when to use the skill at its beginning, and that is later. */
function headToldLater({ after, isHead }: NameContext): Why {
  if (!isHead || !lexicon.says("head-told", after)) return null;
  return lexicon.says("later", /^\W*[^|]*/.exec(after)?.[0] ?? "");
}

/** "After the tests pass, …", "use x after your draft"; `until` is where the sentence names another skill. */
function saidLater(said: NameContext, until: string): Why {
  const { before, clause, rest } = said;
  const near = rest.length <= until.length ? rest : until;
  return (
    clauseLater(said) ??
    lexicon.why("later", { text: clause, before }) ??
    lexicon.says("later", labelBefore(before)?.text ?? "") ??
    lexicon.says("later", /^[^,(（]*/.exec(near)?.[0] ?? "") ??
    lexicon.begins("later", LAST_CONDITION.exec(near)?.groups?.condition ?? "")
  );
}

/** "…, when CI is green." and "… (only once it is merged)", but not "…, after which you can rest". */
const LAST_CONDITION =
  /(?:,|[(（])\s*(?:but\s+)?(?:only\s+)?(?<condition>(?:when|once|as soon as)\b[^,()（）]*)(?:[)）]|\W*$)/i;

/** A clause before the name: "In general, when it is clean, use x". */
function clauseLater({ before, segment }: NameContext): Why {
  for (const part of [before, segment, ...segment.split(/,\s+/).slice(1)]) {
    const why = lexicon.begins("later", part);
    if (why) return why;
  }
  // A Chinese clause says at its end that it comes first.
  return lexicon.saysOf("later-clause", before.split(/[，、；]/).slice(0, -1));
}

/** By lead-ins and headings; a required step in an ordered list comes after the steps before it. */
function laterStep({ leadIns, headings, step }: Passage, isInherited: boolean): Why {
  const [heading = ""] = headings;
  for (const lead of leadIns) {
    const why = isForLater(lead);
    if (why) return why;
  }
  const title = lexicon.says("later-title", heading);
  if (title || !isInherited || (step ?? 0) === 0) return title;
  return lexicon.says("in-order", leadIns[0] ?? "") ?? lexicon.says("in-order", heading);
}

function isForLater(leadIn: string): Why {
  return lexicon.says("later-title", leadIn) ?? lexicon.begins("later", leadIn);
}
