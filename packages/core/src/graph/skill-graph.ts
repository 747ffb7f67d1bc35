import { basename } from "node:path";
import { readSkillBytes } from "../catalog/scan/skill-at.ts";
import type { Catalog } from "../open-catalog.ts";
import { takeTurns } from "../shared/turns.ts";
import { lineAt, splitFrontmatter } from "../skill/frontmatter.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import {
  type Dangling,
  type Edge,
  type ExplainOption,
  keepStrongest,
  type SkillEdges,
  type SkillGraph,
} from "./edge.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex, type SkillIndex } from "./skill-index.ts";

/** In catalog order, then text order. `typed` skills appear only if needed. */
export async function makeGraph(
  catalog: Catalog,
  typed: readonly SkillMetadata[] = [],
  { explain = false }: ExplainOption = {},
): Promise<SkillGraph> {
  const { skills } = catalog;
  const index = makeSkillIndex([...skills, ...typed]);
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  // Thousands take seconds: other work gets its turn.
  const turn = takeTurns();
  for (const skill of skills) {
    const read = readEdges(catalog.sourceOf(skill), skill, index, explain);
    for (const edge of read.edges) keepStrongest(edges, edge);
    dangling.push(...read.dangling);
    await turn();
  }
  const named = new Set([...edges.values()].flatMap(({ fromPath, toPath }) => [fromPath, toPath]));
  const known = [...skills, ...typed.filter(({ path }) => named.has(path))];
  const order = new Map(known.map(({ path }, at) => [path, at]));
  const sorted = [...edges.values()].sort((a, b) => order.get(a.fromPath)! - order.get(b.fromPath)!);
  const nodes = known.map(({ id, name, path }) => ({ id, name, path }));
  return { nodes, edges: sorted, cycles: cyclesOf(known, sorted), dangling };
}

export function readEdges(
  source: string,
  skill: SkillMetadata,
  index: SkillIndex,
  explain = false,
): SkillEdges {
  const none: SkillEdges = { edges: [], dangling: [] };
  const content = readSkillBytes(source);
  if ("fault" in content) return none;
  const { bytes } = content;
  const split = splitFrontmatter(bytes);
  if ("fault" in split) return none;
  const line = lineAt(bytes, split.bodyStart);
  return edgesOf(skill, bytes.toString("utf8", split.bodyStart), index, line, { explain });
}

/** Dispatch would refuse the last step of a cycle. */
function cyclesOf(skills: readonly SkillMetadata[], edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>(skills.map(({ path }) => [path, []]));
  for (const { type, alternative, fromPath, toPath } of edges)
    if (type === "requires_now" && !alternative && toPath !== null) next.get(fromPath)?.push(toPath);
  const names = new Map(skills.map(({ path, name, dir }) => [path, name || basename(dir)]));
  return findCycles(next).map((cycle) => cycle.map((path) => names.get(path) ?? path));
}

/** One cycle per strongly connected component, from its first node. */
export function findCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  for (const component of components(next)) {
    const members = new Set(component);
    const [start] = component.toSorted();
    const isCycle = component.length > 1 || (start !== undefined && next.get(start)?.includes(start));
    if (start !== undefined && isCycle) cycles.push(shortestWayBack(next, members, start));
  }
  return cycles;
}

function shortestWayBack(
  next: ReadonlyMap<string, readonly string[]>,
  members: ReadonlySet<string>,
  start: string,
): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of next.get(node) ?? []) {
      if (target === start) {
        const way = [node];
        for (let at = node; at !== start; ) {
          at = cameFrom.get(at) as string;
          way.push(at);
        }
        return way.reverse();
      }
      if (!members.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [start];
}

/** Kosaraju: the nodes that lead to one and are not taken yet, the last to be left first. No recursion: chains may be long. */
function components(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const seen = new Set<string>();
  const left: string[] = [];
  const before = new Map<string, string[]>();
  for (const root of next.keys()) {
    const work = seen.has(root) ? [] : [{ node: root, edge: 0 }];
    seen.add(root);
    for (let step = work[0]; step; step = work.at(-1)) {
      const target = next.get(step.node)?.[step.edge++];
      if (target === undefined) {
        work.pop();
        left.push(step.node);
        continue;
      }
      const sources = before.get(target) ?? [];
      sources.push(step.node);
      before.set(target, sources);
      if (!seen.has(target)) work.push({ node: target, edge: 0 });
      seen.add(target);
    }
  }
  const taken = new Set<string>();
  const found: string[][] = [];
  for (const root of left.reverse()) {
    if (taken.has(root)) continue;
    taken.add(root);
    const component = [root];
    for (const node of component)
      for (const one of before.get(node) ?? []) {
        if (!taken.has(one)) component.push(one);
        taken.add(one);
      }
    found.push(component);
  }
  return found;
}
