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
import { LEXICON, type Lexicon, type Why } from "./lexicon/lexicon.ts";
import { exampleOf, type Passage, passagesOf, type Sentence, sentencesOf } from "./passages.ts";
import { type FoundReference, findReferences } from "./references.ts";
import { nearestSkill, type SkillIndex } from "./skill-index.ts";

/** A line of this length is data, not a sentence. */
const LONGEST_LINE = 16_384;
const MAX_TEXT = 200;
const MAX_SENTENCE = 2_000;
/** A paragraph with more names is a machine-made list. */
const MAX_REFERENCES = 100;

interface Reading {
  readonly skill: SkillMetadata;
  readonly index: SkillIndex;
  readonly lexicon: Lexicon;
  readonly explain: boolean;
  readonly lineOfBody: (line: number) => number;
  readonly edges: Map<string, Edge>;
  readonly dangling: Map<string, Dangling>;
}

/**
 * Edges stated in `metadata` replace those of the text; if it states only references, the text says the rest. A reversed edge
 * ("Called by") begins at the other skill. `firstLine`: where the body begins.
 */
export function edgesOf(
  skill: SkillMetadata,
  body: string,
  index: SkillIndex,
  firstLine = 1,
  { explain = false, lexicon = LEXICON }: ExplainOption & { readonly lexicon?: Lexicon } = {},
): SkillEdges {
  const stated = statedEdges(skill, index, explain);
  if (stated?.isWhole) return { edges: stated.edges, dangling: stated.dangling };
  const lineOfBody = (line: number): number => line + firstLine - 1;
  const lines = body.split(/\r\n|\n|\r/).map((line) => line.slice(0, LONGEST_LINE));
  const edges = new Map<string, Edge>();
  const dangling = new Map<string, Dangling>();
  const reading: Reading = { skill, index, lexicon, explain, lineOfBody, edges, dangling };
  for (const passage of passagesOf(markdownBlocks(lines), lexicon)) readPassage(passage, reading);
  const { edges: references = [], dangling: missing = [] } = stated ?? {};
  const isStated = ({ from, to }: Edge): boolean =>
    from === skill.name && references.some((one) => one.to === to);
  return {
    edges: [...references, ...[...edges.values()].filter((edge) => !isStated(edge))],
    dangling: [...missing, ...dangling.values()],
  };
}

function readPassage(passage: Passage, reading: Reading): void {
  const { skill, index, lexicon } = reading;
  const all = findReferences(passage, skill, index, lexicon);
  if (all.length === 0) return;
  if (all.length > MAX_REFERENCES) all.length = MAX_REFERENCES;
  // A heading or lead-in lists the skills that use this one.
  const reversed = lexicon.saysOf("reversed", [passage.headings[0] ?? "", ...passage.leadIns]);
  for (const sentence of sentencesOf(passage, passage.kind === "row")) {
    const inside = all.filter(({ start }) => start >= sentence.start && start < sentence.end);
    for (const group of groupsOf(inside, passage.text, sentence.start, lexicon)) {
      const typed = typeOf(group, sentence, passage, lexicon);
      for (const found of group.found) {
        if (found.skill === undefined) addDangling(found, sentence, passage, reading);
        else keepStrongest(reading.edges, edgeOf(found, reversed, typed, sentence, passage, reading));
      }
    }
  }
}

function addDangling(found: FoundReference, sentence: Sentence, passage: Passage, reading: Reading): void {
  const { skill, lexicon, dangling, lineOfBody } = reading;
  const { name, start, isCode } = found;
  if (dangling.has(name) || isCode || exampleOf(passage, lexicon)) return;
  if (lexicon.says("shown", excerpt(passage.text, sentence, MAX_TEXT))) return;
  if (lexicon.has("instance", { before: passage.text.slice(sentence.start, start) })) return;
  dangling.set(name, { from: skill.name, name, line: lineOfBody(lineOf(passage, start)) });
}

/** A skill cannot make its callers run anything: an edge that it states for another skill is never executable. */
function edgeOf(
  found: FoundReference,
  reversed: Why,
  { type, alternative, rules }: Typed,
  sentence: Sentence,
  passage: Passage,
  { skill, explain, lineOfBody }: Reading,
): Edge {
  const target = { name: found.skill?.name ?? found.name, path: found.skill?.path ?? null };
  const said = {
    alternative,
    line: lineOfBody(lineOf(passage, found.start)),
    text: excerpt(passage.text, sentence, MAX_TEXT),
  };
  const reason = explain
    ? {
        reason: {
          rules: [...new Set([found.by, ...(reversed ?? rules)])],
          sentence: excerpt(passage.text, sentence, MAX_SENTENCE),
          file: skill.path,
        },
      }
    : {};
  if (reversed && target.path !== null) {
    const ends = { from: target.name, to: skill.name, fromPath: target.path, toPath: skill.path };
    return { ...ends, type: "reference_only", ...said, ...reason };
  }
  const ends = { from: skill.name, to: target.name, fromPath: skill.path, toPath: target.path };
  return { ...ends, type, ...said, ...reason };
}

function lineOf({ lineStarts, line }: Passage, offset: number): number {
  return line + lineStarts.findLastIndex((start) => start <= offset);
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
