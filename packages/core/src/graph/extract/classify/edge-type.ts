import type { EdgeType } from "../edge.ts";
import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import type { FoundReference } from "../references/reference.ts";
import type { Passage } from "../text/passages.ts";
import type { Sentence } from "../text/sentences.ts";
import { inheritedFrom } from "./inherited.ts";
import { headToldLater, laterListed, laterStep, saidLater } from "./later.ts";
import { negatedBy } from "./negated.ts";
import { isQuoted } from "./quoted.ts";
import { requiredBy } from "./required.ts";
import { Said } from "./said.ts";

/** References that share one statement: "a and b", "a or b". */
export interface Group {
  readonly found: readonly FoundReference[];
  /** The rule that makes it a choice: "or". */
  readonly choice: Why;
  /** Where the next group in the sentence begins. */
  readonly next?: number;
}

export interface Typed {
  readonly type: EdgeType;
  readonly alternative: boolean;
  /** The rules that decided. */
  readonly rules: readonly string[];
}

/** What a sentence says of a group of skills in it. Without a word that requires them it is a mention. */
export function typeOf(group: Group, sentence: Sentence, passage: Passage, lexicon: Lexicon): Typed {
  const { text } = passage;
  const first = group.found[0]!;
  const last = group.found.at(-1)!;
  const mention = (why: Why, choice: Why = group.choice): Typed => made("reference_only", why, choice);
  if (passage.example) return mention(passage.example);
  if (group.found.some(({ isCode }) => isCode)) return mention(["inside-code"]);
  if (group.found.some(({ isFile }) => isFile)) return mention(["file-of-skill"]);
  const said = new Said(passage, sentence, first, last, lexicon);
  const { before, rest, whole, directive, isHead } = said;
  const shown =
    lexicon.says("shown", whole) ?? lexicon.why("instance", said) ?? lexicon.says("question", whole);
  if (shown) return mention(shown);
  if (isQuoted(text, sentence, first, last)) return mention(["quoted"]);
  const [heading = ""] = passage.headings;
  const leadIn = passage.leadIns[0] ?? "";
  for (const title of [heading, ...passage.leadIns]) {
    const notHere = lexicon.says("not-here", title);
    if (notHere) return mention(notHere);
  }
  const insisted = lexicon.why("insists", said);
  const negated = insisted ? null : negatedBy(said, lexicon);
  if (negated) return mention(negated);

  const own = insisted ?? requiredBy(said, passage.header, lexicon);
  const isCase = lexicon.says("condition", before) !== null;
  const isStep = directive !== null || (first.isMarked && lexicon.has("means", said));
  const required = own ?? (isCase ? null : inheritedFrom(passage, isStep, isHead, lexicon));
  const choice = group.choice ?? lexicon.why("choice", said) ?? lexicon.says("choice-title", leadIn);
  // Most sentences only mention a skill; then the time does not matter.
  if (!required && !directive && !isHead) return mention(null, choice);
  const toldOfHead = headToldLater(said, lexicon);
  const until = group.next === undefined ? rest : text.slice(last.end, group.next);
  const soon = toldOfHead ?? saidLater(said, until, lexicon);
  const later = soon ?? laterStep(passage, required !== null && own === null, lexicon);
  if (!later) return required ? made("requires_now", required, choice) : mention(null, choice);
  if (required) return made("requires_later", [...required, ...later], choice);
  // Not required, but the sentence says to use it later.
  const isBranch = isCase || lexicon.says("condition", leadIn) !== null;
  const isTold =
    ((directive !== null || toldOfHead !== null) &&
      (soon !== null || !isBranch) &&
      !lexicon.says("optional", whole)) ||
    (isHead && laterListed(leadIn, lexicon));
  if (!isTold || lexicon.says("aside", heading) || lexicon.says("aside", leadIn))
    return mention(null, choice);
  return made("requires_later", [...(directive ?? []), ...later], choice);
}

function made(type: EdgeType, why: Why, choice: Why): Typed {
  return { type, alternative: choice !== null, rules: [...(why ?? []), ...(choice ?? [])] };
}
