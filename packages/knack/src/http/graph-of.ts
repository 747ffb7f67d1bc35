import { type Catalog, type SkillGraph, skillGraph } from "@knack/core";

const graphs = new WeakMap<Catalog, Promise<SkillGraph>>();

/** The graph of a catalog, with the rules behind its edges. A large one takes seconds, so it is built once per snapshot. */
export function graphOf(catalog: Catalog): Promise<SkillGraph> {
  const graph = graphs.get(catalog) ?? skillGraph(catalog, { explain: true });
  graphs.set(catalog, graph);
  return graph;
}
