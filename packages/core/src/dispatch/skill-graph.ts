import { basename } from "node:path";
import { readSkillFile } from "../catalog/skill-file.ts";
import type { Catalog } from "../open-catalog.ts";
import { splitFrontmatter } from "../skill/frontmatter.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { findCycles } from "./cycles.ts";
import { type Dangling, type Edge, type SkillEdges, type SkillGraph, strength } from "./edge.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex, type SkillIndex } from "./skill-index.ts";

/**
 * Which skill needs which, from the texts as they are now. One text is in memory at a time. The order is that of the
 * catalog, then of the text.
 */
export async function makeGraph(catalog: Pick<Catalog, "skills" | "sourceOf">): Promise<SkillGraph> {
  const { skills } = catalog;
  const index = makeSkillIndex(skills);
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  for (const [place, skill] of skills.entries()) {
    const read = readEdges(catalog, skill, index);
    dangling.push(...read.dangling);
    for (const edge of read.edges) {
      const key = `${edge.fromPath}\n${edge.toPath ?? edge.to}`;
      const known = edges.get(key);
      if (!known || strength(edge) > strength(known)) edges.set(key, edge);
    }
    // Thousands of skills take seconds; whoever waits for something else gets a turn.
    if (place % 64 === 63) await new Promise((resolve) => setImmediate(resolve));
  }
  const order = new Map(skills.map(({ path }, at) => [path, at]));
  const sorted = [...edges.values()].sort((a, b) => order.get(a.fromPath)! - order.get(b.fromPath)!);
  const nodes = skills.map(({ id, name, path }) => ({ id, name, path }));
  return { nodes, edges: sorted, cycles: cyclesOf(skills, sorted), dangling };
}

/** The edges of one skill among those of a catalog, read from its file now. */
export function readEdges(
  catalog: Pick<Catalog, "sourceOf">,
  skill: SkillMetadata,
  index: SkillIndex,
): SkillEdges {
  const none: SkillEdges = { edges: [], dangling: [] };
  const content = readSkillFile(catalog.sourceOf(skill));
  if ("fault" in content) return none;
  const { bytes } = content;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const split = splitFrontmatter(bytes, start);
  if ("fault" in split) return none;
  let line = 1;
  for (let i = start; i < split.bodyStart; i++) if (bytes[i] === 0x0a) line++;
  return edgesOf(skill, bytes.toString("utf8", split.bodyStart), index, line);
}

/** A skill that requires itself now, through others: the guards of a dispatch would refuse the last step. */
function cyclesOf(skills: readonly SkillMetadata[], edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>(skills.map(({ path }) => [path, []]));
  for (const { type, alternative, fromPath, toPath } of edges)
    if (type === "requires_now" && !alternative && toPath !== null) next.get(fromPath)?.push(toPath);
  const names = new Map(skills.map(({ path, name, dir }) => [path, name || basename(dir)]));
  return findCycles(next).map((cycle) => cycle.map((path) => names.get(path) ?? path));
}
