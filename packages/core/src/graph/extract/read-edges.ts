import { basename } from "node:path";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type Group, typeOf } from "./classify/edge-type.ts";
import { isInstance, isShown } from "./classify/examples.ts";
import { isReversed } from "./classify/titles.ts";
import { type Dangling, type Edge, type EdgeType, type SkillEdges, strength } from "./edge.ts";
import { findReferences } from "./references/find-references.ts";
import type { Found } from "./references/reference.ts";
import { nearestSkill, type SkillIndex } from "./references/skill-index.ts";
import { markdownBlocks } from "./text/markdown-blocks.ts";
import { type Passage, passagesOf } from "./text/passages.ts";
import { ownNames, relevantText } from "./text/relevant-text.ts";
import { type Sentence, sentencesOf } from "./text/sentences.ts";

const MAX_TEXT = 200;
/** More names in one paragraph are a list for machines. */
const MAX_REFERENCES = 100;

/**
 * The edges of one skill: those that it states under `metadata`, else those of its text. An edge that the text reverses
 * ("Called by") begins at the other skill. `firstLine` is the line of the file where the body begins.
 */
export function edgesOf(skill: SkillMetadata, body: string, index: SkillIndex, firstLine = 1): SkillEdges {
  const { metadata = {} } = skill;
  if (metadata["requires-now"] !== undefined || metadata["requires-later"] !== undefined)
    return statedEdges(skill, metadata, index);
  const relevant = relevantText(body, index, ownNames(skill.name, basename(skill.dir)));
  if (relevant === null) return { edges: [], dangling: [] };
  const edges = new Map<string, Edge>();
  const dangling = new Map<string, Dangling>();
  const lineOfBody = (line: number): number => (relevant.lines[line - 1] ?? 0) + firstLine;
  for (const passage of passagesOf(markdownBlocks(relevant.text)))
    readPassage(passage, skill, index, lineOfBody, edges, dangling);
  return { edges: [...edges.values()], dangling: [...dangling.values()] };
}

function readPassage(
  passage: Passage,
  skill: SkillMetadata,
  index: SkillIndex,
  lineOfBody: (line: number) => number,
  edges: Map<string, Edge>,
  dangling: Map<string, Dangling>,
): void {
  const all = findReferences(passage, skill, index);
  if (all.length === 0) return;
  if (all.length > MAX_REFERENCES) all.length = MAX_REFERENCES;
  const isTurned = [passage.headings[0], ...passage.leadIns].some((title) => title && isReversed(title));
  for (const sentence of sentencesOf(passage, passage.kind === "row")) {
    const inside = all.filter(({ start }) => start >= sentence.start && start < sentence.end);
    const text = excerpt(passage.text, sentence);
    for (const group of groupsOf(inside, passage.text, sentence.start)) {
      const typed = typeOf(group, sentence, passage);
      for (const found of group.found) {
        const line = lineOfBody(lineOf(passage, found.start));
        if (found.skill === undefined) {
          if (
            !passage.isExample &&
            !found.isCode &&
            !isShown(text) &&
            !isInstance(passage.text.slice(sentence.start, found.start)) &&
            !dangling.has(found.name)
          )
            dangling.set(found.name, { from: skill.name, name: found.name, line });
          continue;
        }
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
  /^["'”’」』`)\]]{0,2}\s*(?:skills?\b)?\s*(?:[(（][^()（）]{0,40}[)）])?\s*(?:,\s*which\s[^,.;]{1,60})?(?:,?\s*(?:and|then|&|\+|plus)|,|、|と|及び|および|和|及|以及)\s*(?:then\s+|the\s+|use\s+)*["'“「『`([]{0,2}$/i;
const OR =
  /^["'”’」』`)\]]{0,2}\s*(?:skills?\b)?\s*(?:[(（][^()（）]{0,40}[)）])?\s*(?:,?\s*(?:or(?:\s+else)?|and\/or)(?:,\s*if\s[^,.;]{1,40},)?|\/|か(?=\s|[`「『])|または|もしくは|あるいは|或者?|或是)\s*(?:with\s+|the\s+|use\s+|uses\s+)*["'“「『`([]{0,2}$/i;

/** "Unlike x, y …", "After x, y …": the comma ends what is said of x. */
function isSetApart(before: string, between: string): boolean {
  return (
    /^\W*,\s*\W*$/.test(between) &&
    /^\W*(?:unlike|besides|like|after|before|once|when|with|for|from|in|as with)\b[^,]*$/i.test(before)
  );
}

function groupsOf(found: readonly Found[], text: string, from: number): Group[] {
  const groups: { found: Found[]; isChoice: boolean; next?: number }[] = [];
  for (const one of found) {
    const group = groups.at(-1);
    const between = group ? text.slice(group.found.at(-1)!.end, one.start) : "";
    const isOr = OR.test(between);
    const isOne =
      isOr || (AND.test(between) && !(group && isSetApart(text.slice(from, group.found[0]!.start), between)));
    if (group && between.length < 80 && isOne) {
      group.found.push(one);
      group.isChoice ||= isOr;
    } else {
      if (group) group.next = one.start;
      groups.push({ found: [one], isChoice: false });
    }
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
