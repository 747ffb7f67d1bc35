import { basename } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { SkillMetadata } from "../skill/schema.ts";
import { type Dangling, type Edge, type EdgeType, type SkillEdges, strength } from "./edge.ts";
import { type Group, typeOf } from "./edge-type.ts";
import { findReferences } from "./find-references.ts";
import { type Passage, passagesOf } from "./passages.ts";
import type { Found } from "./reference.ts";
import { ownNames, relevantText } from "./relevant-text.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { nearestSkill, type SkillIndex } from "./skill-index.ts";
import { isReversed } from "./titles.ts";

/** Blocks alone: the rules for emphasis and links take quadratic time on hostile text (`flat-text.ts` reads them). */
const BLOCKS_ONLY = {
  disable: {
    null: [
      ...["attention", "autolink", "htmlText", "labelStartImage", "labelStartLink", "labelEnd", "codeText"],
      ...["characterReference", "characterEscape", "hardBreakEscape", "definition"],
    ],
  },
};
const MAX_TEXT = 200;

/**
 * The edges of one skill: those that it states under `metadata`, else those of its text. An edge that the text reverses
 * ("Called by") begins at the other skill. `firstLine` is the line of the file where the body begins.
 */
export function edgesOf(skill: SkillMetadata, body: string, index: SkillIndex, firstLine = 1): SkillEdges {
  const { metadata = {} } = skill;
  if (metadata["requires-now"] !== undefined || metadata["requires-later"] !== undefined)
    return statedEdges(skill, metadata, index);
  const text = relevantText(body, index, ownNames(skill.name, basename(skill.dir)));
  if (text === null) return { edges: [], dangling: [] };
  const edges = new Map<string, Edge>();
  const dangling = new Map<string, Dangling>();
  for (const passage of passagesOf(fromMarkdown(text, { extensions: [BLOCKS_ONLY] })))
    readPassage(passage, skill, index, firstLine, edges, dangling);
  return { edges: [...edges.values()], dangling: [...dangling.values()] };
}

function readPassage(
  passage: Passage,
  skill: SkillMetadata,
  index: SkillIndex,
  firstLine: number,
  edges: Map<string, Edge>,
  dangling: Map<string, Dangling>,
): void {
  const all = findReferences(passage, skill, index);
  if (all.length === 0) return;
  const isTurned = [passage.headings[0], ...passage.leadIns].some((title) => title && isReversed(title));
  for (const sentence of sentencesOf(passage, passage.kind === "row")) {
    const inside = all.filter(({ start }) => start >= sentence.start && start < sentence.end);
    for (const group of groupsOf(inside, passage.text)) {
      const typed = typeOf(group, sentence, passage);
      for (const found of group.found) {
        const line = lineOf(passage, found.start) + firstLine - 1;
        if (found.skill === undefined) {
          if (!passage.isExample && !found.isCode && !dangling.has(found.name))
            dangling.set(found.name, { from: skill.name, name: found.name, line });
          continue;
        }
        const text = excerpt(passage.text, sentence);
        keep(edges, made(skill, found, isTurned, { ...typed, line, text }));
      }
    }
  }
}

/** What a skill says of those that call it is its own word alone, so it makes none of them run anything. */
function made(
  skill: SkillMetadata,
  { skill: other, name }: Found,
  isTurned: boolean,
  said: Pick<Edge, "type" | "alternative" | "line" | "text">,
): Edge {
  const target = { name: other?.name ?? name, path: other?.path ?? null };
  if (isTurned && target.path !== null) {
    const ends = { from: target.name, to: skill.name, fromPath: target.path, toPath: skill.path };
    return { ...ends, ...said, type: "reference_only" };
  }
  return { from: skill.name, to: target.name, fromPath: skill.path, toPath: target.path, ...said };
}

/** The strongest mention of each skill stays; of equals the first. */
function keep(edges: Map<string, Edge>, edge: Edge): void {
  const key = `${edge.fromPath}\n${edge.toPath ?? edge.to}`;
  const known = edges.get(key);
  if (!known || strength(edge) > strength(known)) edges.set(key, edge);
}

const AND =
  /^["'”’」』`)\]]{0,2}\s*(?:skills?\b)?\s*(?:\([^()]{0,40}\))?\s*(?:,?\s*(?:and|then|&|\+|plus)|,|、|と|及び|および|和|及|以及)\s*(?:then\s+|the\s+|use\s+)*["'“「『`([]{0,2}$/i;
const OR =
  /^["'”’」』`)\]]{0,2}\s*(?:skills?\b)?\s*(?:\([^()]{0,40}\))?\s*(?:,?\s*(?:or(?:\s+else)?|and\/or)|\/|または|もしくは|あるいは|或者?|或是)\s*(?:with\s+|the\s+|use\s+|uses\s+)*["'“「『`([]{0,2}$/i;

function groupsOf(found: readonly Found[], text: string): Group[] {
  const groups: { found: Found[]; isChoice: boolean }[] = [];
  for (const one of found) {
    const group = groups.at(-1);
    const between = group ? text.slice(group.found.at(-1)!.end, one.start) : "";
    const isOr = OR.test(between);
    if (group && between.length < 80 && (isOr || AND.test(between))) {
      group.found.push(one);
      group.isChoice ||= isOr;
    } else groups.push({ found: [one], isChoice: false });
  }
  return groups;
}

function lineOf({ lineStarts, line }: Passage, offset: number): number {
  return line + lineStarts.findLastIndex((start) => start <= offset);
}

function excerpt(text: string, { start, end }: Sentence): string {
  const whole = text.slice(start, Math.min(end, start + 2 * MAX_TEXT)).trim();
  return whole.length <= MAX_TEXT ? whole : `${whole.slice(0, MAX_TEXT - 1).trimEnd()}…`;
}

function statedEdges(
  skill: SkillMetadata,
  metadata: Readonly<Record<string, string>>,
  index: SkillIndex,
): SkillEdges {
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  const read = (key: string, type: EdgeType): void => {
    for (const name of new Set((metadata[key] ?? "").split(/\s+/).filter((part) => part !== ""))) {
      const other = nearestSkill(index, name, skill);
      if (other === undefined) dangling.push({ from: skill.name, name, line: 1 });
      const said = { type, alternative: false, line: 1, text: `${key}: ${metadata[key]}`.slice(0, MAX_TEXT) };
      const ends = { from: skill.name, to: other?.name ?? name, fromPath: skill.path };
      if (other?.path !== skill.path) keep(edges, { ...ends, toPath: other?.path ?? null, ...said });
    }
  };
  read("requires-now", "requires_now");
  read("requires-later", "requires_later");
  return { edges: [...edges.values()], dangling };
}
