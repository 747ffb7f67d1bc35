import { markdownBlocks } from "../skill/markdown.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import {
  type Dangling,
  type Edge,
  type EdgeType,
  type ExplainOption,
  keepStrongest,
  type SkillEdges,
} from "./edge.ts";
import { groupsOf, type Typed, typeOf } from "./edge-type.ts";
import { lexicon, type Why } from "./lexicon/lexicon.ts";
import { exampleOf, type Passage, passagesOf, type Sentence, sentencesOf } from "./passages.ts";
import { type FoundReference, findReferences } from "./references.ts";
import { nearestSkill, type SkillIndex } from "./skill-index.ts";

/** A line of this length is data, not a sentence. */
const LONGEST_LINE = 16_384;
const MAX_TEXT = 200;
const MAX_SENTENCE = 2_000;
/** A paragraph with more names is a machine-made list. */
const MAX_REFERENCES = 100;

/**
 * Edges stated in `metadata` replace those of the text; if it states only references, the text says the rest. A reversed edge
 * ("Called by") begins at the other skill. `firstLine`: where the body begins.
 */
export function edgesOf(
  skill: SkillMetadata,
  body: string,
  index: SkillIndex,
  firstLine = 1,
  { explain = false }: ExplainOption = {},
): SkillEdges {
  const stated = statedEdges(skill, index, explain);
  if (stated?.isWhole) return { edges: stated.edges, dangling: stated.dangling };
  const lines = body.split(/\r\n|\n|\r/).map((line) => line.slice(0, LONGEST_LINE));
  const edges = new Map<string, Edge>();
  const dangling = new Map<string, Dangling>();
  for (const passage of passagesOf(markdownBlocks(lines)))
    for (const statement of statementsIn(passage, skill, index)) {
      const { name, start, skill: target } = statement.found;
      const line = firstLine - 1 + passage.line + passage.lineStarts.findLastIndex((at) => at <= start);
      if (target !== undefined) keepStrongest(edges, edgeOf(statement, passage, line, skill, explain));
      else if (!dangling.has(name) && isMissing(statement, passage))
        dangling.set(name, { from: skill.name, name, line });
    }
  const { edges: references = [], dangling: missing = [] } = stated ?? {};
  const isStated = ({ from, to }: Edge): boolean =>
    from === skill.name && references.some((one) => one.to === to);
  return {
    edges: [...references, ...[...edges.values()].filter((edge) => !isStated(edge))],
    dangling: [...missing, ...dangling.values()],
  };
}

interface Statement {
  readonly found: FoundReference;
  readonly sentence: Sentence;
  readonly typed: Typed;
  /** A heading or lead-in lists the skills that use this one. */
  readonly reversed: Why;
}

function* statementsIn(passage: Passage, skill: SkillMetadata, index: SkillIndex): Generator<Statement> {
  const all = findReferences(passage, skill, index).slice(0, MAX_REFERENCES);
  if (all.length === 0) return;
  const reversed = lexicon.saysOf("reversed", [passage.headings[0] ?? "", ...passage.leadIns]);
  for (const sentence of sentencesOf(passage, passage.kind === "row")) {
    const inside = all.filter(({ start }) => start >= sentence.start && start < sentence.end);
    for (const group of groupsOf(inside, passage.text, sentence.start)) {
      const typed = typeOf(group, sentence, passage);
      for (const found of group.found) yield { found, sentence, typed, reversed };
    }
  }
}

/** Whether a reference to a skill that does not exist was meant, and not just shown. */
function isMissing({ found, sentence }: Statement, passage: Passage): boolean {
  const before = passage.text.slice(sentence.start, found.start);
  const isShown =
    exampleOf(passage) !== null ||
    lexicon.says("shown", excerpt(passage.text, sentence, MAX_TEXT)) !== null ||
    lexicon.has("instance", { before });
  return !found.isCode && !isShown;
}

/** A skill cannot make its callers run anything: an edge that it states for another skill is never executable. */
function edgeOf(
  { found, sentence, typed, reversed }: Statement,
  { text }: Passage,
  line: number,
  skill: SkillMetadata,
  explain: boolean,
): Edge {
  const own = { name: skill.name, path: skill.path };
  const target = { name: found.skill?.name ?? found.name, path: found.skill?.path ?? null };
  const isReversed = reversed !== null && target.path !== null;
  const [from, to] = isReversed ? [target, own] : [own, target];
  const reason = explain && {
    rules: [...new Set([found.by, ...(reversed ?? typed.rules)])],
    sentence: excerpt(text, sentence, MAX_SENTENCE),
    file: skill.path,
  };
  return {
    ...{ from: from.name, to: to.name, fromPath: from.path ?? "", toPath: to.path },
    type: isReversed ? "reference_only" : typed.type,
    ...{ alternative: typed.alternative, line, text: excerpt(text, sentence, MAX_TEXT) },
    ...(reason && { reason }),
  };
}

function excerpt(text: string, { start, end }: Sentence, most: number): string {
  const whole = text.slice(start, Math.min(end, start + 2 * most)).trim();
  return whole.length <= most ? whole : `${whole.slice(0, most - 1).trimEnd()}…`;
}

/** The edges that `metadata` states; `isWhole`: they replace those of the text. */
function statedEdges(
  skill: SkillMetadata,
  index: SkillIndex,
  explain: boolean,
): (SkillEdges & { readonly isWhole: boolean }) | null {
  const metadata = Object.entries(skill.metadata ?? {}).map(
    ([key, value]) => [key.replaceAll("_", "-"), value] as const,
  );
  const has = (...keys: string[]): boolean => metadata.some(([key]) => keys.includes(key));
  const isWhole = has("requires-now", "requires-later");
  if (!isWhole && !has("reference-only")) return null;
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  const read = (key: string, type: EdgeType): void => {
    const names = metadata
      .filter(([one]) => one === key)
      .map(([, value]) => value)
      .join(" ");
    const text = `${key}: ${names}`;
    const reason = explain
      ? { reason: { rules: [`metadata-${key}`], sentence: text, file: skill.path } }
      : {};
    for (const name of new Set(names.split(/[\s,]+/).filter((part) => part !== ""))) {
      const other = nearestSkill(index, name, skill);
      if (other === undefined) dangling.push({ from: skill.name, name, line: 1 });
      if (other?.path === skill.path) continue;
      keepStrongest(edges, {
        ...{ from: skill.name, to: other?.name ?? name, fromPath: skill.path, toPath: other?.path ?? null },
        ...{ type, alternative: false, line: 1, text: text.slice(0, MAX_TEXT), ...reason },
      });
    }
  };
  read("requires-now", "requires_now");
  read("requires-later", "requires_later");
  read("reference-only", "reference_only");
  return { edges: [...edges.values()], dangling, isWhole };
}
