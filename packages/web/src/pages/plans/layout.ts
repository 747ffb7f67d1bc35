import { Graph, layout } from "@dagrejs/dagre";

export const NODE = { width: 184, height: 72 } as const;
const MARGIN = 16;

interface Task {
  readonly id: string;
  readonly depends_on: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Drawn {
  readonly width: number;
  readonly height: number;
  /** The left upper corner of each task. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

/** dagre keeps nodes in plain objects, where a task called `__proto__` would be lost. */
const nodeOf = (id: string): string => `.${id}`;

/** The tasks in layers from left to right, with a line from each task to those that depend on it. */
export function layoutPlan(tasks: readonly Task[]): Drawn {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 20, ranksep: 40, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(tasks.map(({ id }) => id));
  for (const { id } of tasks) graph.setNode(nodeOf(id), { ...NODE });
  for (const { id, depends_on } of tasks)
    for (const before of depends_on) if (known.has(before)) graph.setEdge(nodeOf(before), nodeOf(id));
  layout(graph);
  const nodes = tasks.map(({ id }) => {
    const { x, y } = graph.node(nodeOf(id)) as { x: number; y: number };
    return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }] as const;
  });
  const corners = new Map(nodes);
  const edges = graph.edges().map(({ v, w }) => {
    const { points = [] } = graph.edge(v, w) as { points?: readonly Point[] };
    const [before, after] = [v.slice(1), w.slice(1)];
    const [from, to] = [corners.get(before), corners.get(after)];
    const middle = NODE.height / 2;
    const start = from && { x: from.x + NODE.width, y: from.y + middle };
    const end = to && { x: to.x, y: to.y + middle };
    // Between layers that are next to each other the points in the middle only add bends.
    const inner = points.length > 3 ? points.slice(1, -1) : [];
    return { from: before, to: after, path: start && end ? curve([start, ...inner, end]) : "" };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, nodes: corners, edges };
}

/** A line through the points that leaves and arrives horizontally. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let before = first;
  const parts = rest.map((point) => {
    const middle = (before.x + point.x) / 2;
    const part = `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    before = point;
    return part;
  });
  return `M${first.x} ${first.y}${parts.join("")}`;
}
