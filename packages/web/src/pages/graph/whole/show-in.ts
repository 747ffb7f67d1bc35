import type Graph from "graphology";
import type { Attributes } from "graphology-types";
import type Sigma from "sigma";
import type { EdgeType } from "../edge-kinds.tsx";
import type { Colors } from "./colors.ts";

/** What the user looks at now. */
export interface Shown {
  readonly hidden: ReadonlySet<EdgeType>;
  readonly marked: string | null;
  readonly text: string;
}

const MANY = 2_000;

/** Colours dots and lines by what is marked, found and hidden; the rest steps back. */
export function showIn(sigma: Sigma, graph: Graph, colors: Colors, shown: () => Shown): void {
  const { width, height } = sigma.getDimensions();
  const scale = Math.min(1, Math.max(0.35, Math.sqrt((width * height) / (graph.order * 1_500))));
  sigma.setSetting("labelRenderedSizeThreshold", scale * (graph.order > 1_000 ? 8 : 5));
  // Thousands of mentions would hide everything else.
  const mention = graph.size > MANY ? colors.dim : colors.edges.reference_only;
  const isNear = (node: string, marked: string): boolean =>
    node === marked ||
    (graph.hasNode(marked) && graph.areNeighbors(node, marked)) ||
    (graph.hasEdge(marked) && graph.hasExtremity(marked, node));
  sigma.setSetting("nodeReducer", (node, given) => {
    const data: Attributes = { ...given, size: given.size * scale };
    const { marked, text } = shown();
    const wanted = text.trim().toLowerCase();
    const color = data.fault ? colors.fault : colors.node;
    const known = marked !== null && (graph.hasNode(marked) || graph.hasEdge(marked)) ? marked : null;
    if (known === null && wanted === "") return { ...data, color };
    const isFound = wanted !== "" && String(data.label).toLowerCase().includes(wanted);
    const isShown = isFound || (known !== null && isNear(node, known));
    if (!isShown) return { ...data, color: colors.dim, label: "", zIndex: 0 };
    return {
      ...data,
      color: node === known || isFound ? colors.accent : color,
      highlighted: node === known,
      forceLabel: true,
      zIndex: 1,
    };
  });
  sigma.setSetting("edgeReducer", (edge, given) => {
    const data: Attributes = { ...given, size: given.size * scale };
    const { marked, hidden } = shown();
    const kind = data.kind as EdgeType;
    const own = { ...colors.edges, reference_only: mention };
    const color = data.cycle ? own.cycle : own[kind];
    if (hidden.has(kind)) return { ...data, hidden: true };
    if (marked === null || (!graph.hasNode(marked) && !graph.hasEdge(marked))) return { ...data, color };
    const isShown = edge === marked || (graph.hasNode(marked) && graph.hasExtremity(edge, marked));
    return isShown ? { ...data, color, zIndex: 1 } : { ...data, color: colors.dim, size: 0.4, zIndex: 0 };
  });
}
