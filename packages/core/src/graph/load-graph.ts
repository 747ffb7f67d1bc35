import { typedSkillNames, typedTarget } from "../catalog/typed-skill-names.ts";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { ExplainOption, SkillEdges, SkillGraph } from "./edge.ts";

/** Which skill of a catalog needs which, with cycles and dangling references. Loads the rules on the first call. */
export async function skillGraph(catalog: Catalog, options: ExplainOption = {}): Promise<SkillGraph> {
  const { makeGraph } = await import("./skill-graph.ts");
  const typed = typedTargets(catalog, await typedSkillNames(catalog.config.registry));
  return makeGraph(catalog, typed, options);
}

/** The edges in the text of one skill of the catalog; `typed` are names of typed skills, the registry's by default. */
export async function edgesIn(
  catalog: Catalog,
  skill: SkillMetadata,
  typed?: readonly string[],
  { explain = false }: ExplainOption = {},
): Promise<SkillEdges> {
  const names = typed ?? (await typedSkillNames(catalog.config.registry));
  const [{ readEdges }, { makeSkillIndex }] = await Promise.all([
    import("./skill-graph.ts"),
    import("./skill-index.ts"),
  ]);
  const index = makeSkillIndex([...catalog.skills, ...typedTargets(catalog, names)]);
  return readEdges(catalog.sourceOf(skill), skill, index, explain);
}

/** Without those that have a `SKILL.md`: they are the same skill. */
function typedTargets({ entries }: Catalog, typed: readonly string[]): SkillMetadata[] {
  const known = new Set(entries.map(({ skill }) => skill.name));
  return [...new Set(typed)].filter((name) => !known.has(name)).map(typedTarget);
}

export async function drawGraph(graph: SkillGraph, format: "mermaid" | "dot"): Promise<string> {
  const { graphAsDot, graphAsMermaid } = await import("./draw-graph.ts");
  return format === "mermaid" ? graphAsMermaid(graph) : graphAsDot(graph);
}
