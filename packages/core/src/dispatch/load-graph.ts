import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges, SkillGraph } from "./edge.ts";

/** Which skill of a catalog needs which, with cycles and dangling references. The Markdown parser is loaded when called. */
export async function skillGraph(catalog: Catalog): Promise<SkillGraph> {
  const { makeGraph } = await import("./skill-graph.ts");
  return makeGraph(catalog);
}

/** The edges that the text of one skill of the catalog has. */
export async function edgesIn(catalog: Catalog, skill: SkillMetadata): Promise<SkillEdges> {
  const [{ readEdges }, { makeSkillIndex }] = await Promise.all([
    import("./skill-graph.ts"),
    import("./skill-index.ts"),
  ]);
  return readEdges(catalog, skill, makeSkillIndex(catalog.skills));
}

/** The graph as a drawing for Mermaid or Graphviz. */
export async function drawGraph(graph: SkillGraph, format: "mermaid" | "dot"): Promise<string> {
  const { graphAsDot, graphAsMermaid } = await import("./draw-graph.ts");
  return format === "mermaid" ? graphAsMermaid(graph) : graphAsDot(graph);
}
