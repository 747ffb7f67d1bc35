import { basename } from "node:path";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { findCycles } from "./cycles.ts";
import { type Dangling, type Edge, type ExplainOption, type SkillGraph, strength } from "./extract/edge.ts";
import { makeSkillIndex } from "./extract/skill-index.ts";
import { edgesOfAll } from "./parallel-edges.ts";
import { readEdges } from "./read-skill-edges.ts";

/**
 * Which skill needs which, from the current texts. In catalog order, then text order. `typed` are skills without a text;
 * they appear only if a skill needs them.
 */
export async function makeGraph(
  catalog: Pick<Catalog, "skills" | "sourceOf">,
  typed: readonly SkillMetadata[] = [],
  { explain = false }: ExplainOption = {},
): Promise<SkillGraph> {
  const { skills } = catalog;
  const index = makeSkillIndex([...skills, ...typed]);
  const sources = skills.map((skill) => catalog.sourceOf(skill));
  const read = await edgesOfAll({ skills, sources, typed, explain }, (at) =>
    readEdges(sources[at]!, skills[at]!, index, explain),
  );
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  for (const one of read) {
    dangling.push(...one.dangling);
    for (const edge of one.edges) {
      const key = `${edge.fromPath}\n${edge.toPath ?? edge.to}`;
      const known = edges.get(key);
      if (!known || strength(edge) > strength(known)) edges.set(key, edge);
    }
  }
  const named = new Set([...edges.values()].flatMap(({ fromPath, toPath }) => [fromPath, toPath]));
  const all = [...skills, ...typed.filter(({ path }) => named.has(path))];
  const order = new Map(all.map(({ path }, at) => [path, at]));
  const sorted = [...edges.values()].sort((a, b) => order.get(a.fromPath)! - order.get(b.fromPath)!);
  const nodes = all.map(({ id, name, path }) => ({ id, name, path }));
  return { nodes, edges: sorted, cycles: cyclesOf(all, sorted), dangling };
}

/** A skill that requires itself now, through others: dispatch would refuse the last step. */
function cyclesOf(skills: readonly SkillMetadata[], edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>(skills.map(({ path }) => [path, []]));
  for (const { type, alternative, fromPath, toPath } of edges)
    if (type === "requires_now" && !alternative && toPath !== null) next.get(fromPath)?.push(toPath);
  const names = new Map(skills.map(({ path, name, dir }) => [path, name || basename(dir)]));
  return findCycles(next).map((cycle) => cycle.map((path) => names.get(path) ?? path));
}
