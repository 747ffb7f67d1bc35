import Graph from "graphology";
import Sigma from "sigma";
import { EdgeArrowProgram, EdgeLineProgram } from "sigma/rendering";
import { edgeKey, type Outline } from "../edge-kinds.tsx";
import type { Colors } from "./colors.ts";
import type { Drawable } from "./use-settled.ts";

/** Hovering edges costs a second drawing of each; beyond this many only skills answer. */
const MANY_EDGES = 6_000;
const SIZES = { requires_now: 2, requires_later: 1.2, reference_only: 0.6 } as const;

/** The graph as sigma draws it: dots that grow with their edges; arrows for what is required, plain lines for mentions. */
export function makeGraph({ nodes, missing }: Outline, { ids, edges }: Drawable): Graph {
  const graph = new Graph({ type: "directed", multi: false, allowSelfLoops: false });
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const faulty = new Set([
    ...missing.map(({ from }) => nodes[from]?.id),
    ...edges.filter(({ cycle }) => cycle).flatMap(({ from, to }) => [nodes[from]?.id, nodes[to]?.id]),
  ]);
  for (const id of ids)
    graph.addNode(id, { x: 0, y: 0, size: 3, label: names.get(id) ?? "", fault: faulty.has(id) });
  for (const { from, to, type, cycle } of edges) {
    const [start, end] = [nodes[from]?.id ?? "", nodes[to]?.id ?? ""];
    if (start === end || graph.hasEdge(start, end)) continue;
    graph.addEdgeWithKey(edgeKey({ from: start, to: end }), start, end, {
      kind: type,
      cycle,
      size: cycle ? 2.5 : SIZES[type],
      type: type === "reference_only" ? "line" : "arrow",
    });
  }
  graph.forEachNode((id) => {
    graph.setNodeAttribute(id, "size", 3 + Math.min(9, Math.sqrt(graph.degree(id)) * 1.4));
  });
  return graph;
}

export function makeSigma(graph: Graph, host: HTMLElement, colors: Colors): Sigma {
  const { fontFamily } = getComputedStyle(host);
  return new Sigma(graph, host, {
    allowInvalidContainer: true,
    edgeProgramClasses: { arrow: EdgeArrowProgram, line: EdgeLineProgram },
    enableEdgeEvents: graph.size <= MANY_EDGES,
    hideEdgesOnMove: graph.size > MANY_EDGES,
    labelFont: fontFamily,
    labelSize: 12,
    labelColor: { color: colors.text },
    labelDensity: 0.8,
    labelGridCellSize: 110,
    minCameraRatio: 0.01,
    maxCameraRatio: 3,
    zIndex: true,
    stagePadding: 40,
    defaultDrawNodeHover: (context, { x, y, size, label, color }, { labelSize, labelFont }) => {
      context.font = `${labelSize}px ${labelFont}`;
      const width = context.measureText(label ?? "").width + 12;
      context.fillStyle = colors.back;
      context.strokeStyle = colors.accent;
      context.beginPath();
      context.roundRect(x + size + 2, y - 11, width, 22, 5);
      context.fill();
      context.stroke();
      context.fillStyle = colors.text;
      context.fillText(label ?? "", x + size + 8, y + 4);
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, y, size + 1.5, 0, Math.PI * 2);
      context.fill();
      context.stroke();
    },
  });
}
