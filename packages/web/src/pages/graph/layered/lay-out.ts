import { Graph, layout } from "@dagrejs/dagre";
import { edgeKey, type Part } from "../edge-kinds.tsx";

const HEIGHT = 34;
const MARGIN = 20;
/** Estimates of a monospace letter and of the room around a name. */
const LETTER = 7.4;
const ROOM = 44;
const WIDTHS = { min: 96, max: 260 } as const;

export interface Box {
  readonly id: string;
  readonly name: string;
  readonly kind: "skill" | "none" | "several";
  /** Neighbours that are not drawn. */
  readonly hidden: number;
  readonly isFocus: boolean;
  readonly inCycle: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line {
  /** `edgeKey` of the edge; of a reference that leads nowhere, the key of its box. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

export interface Layered {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** The key of the box of a name that means no skill. Ids have no line breaks. */
export const missingKey = ({ from, name }: { readonly from: string; readonly name: string }): string =>
  `${from}\n${name}`;

/** The skills in layers from left to right: what leads to a skill stands left of it. */
export function layOut({ focus, nodes, edges, missing }: Part): Layered {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 48, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const inCycle = new Set(edges.flatMap(({ from, to, cycle }) => (cycle ? [from, to] : [])));
  const all: Omit<Box, "x" | "y" | "width" | "height">[] = [
    ...nodes.map(({ id, name, hidden }) => ({
      ...{ id, name, hidden, kind: "skill" as const },
      isFocus: id === focus,
      inCycle: inCycle.has(id),
    })),
    ...missing.map((one) => ({
      ...{ id: missingKey(one), name: one.name, kind: one.why, hidden: 0 },
      ...{ isFocus: false, inCycle: false },
    })),
  ];
  // dagre keeps nodes in plain objects, where a name like "__proto__" breaks: it gets numbers.
  const numbers = new Map(all.map(({ id }, at) => [id, `n${at}`]));
  const numberOf = (id: string): string => numbers.get(id) ?? "";
  const pairs = [...edges, ...missing.map((one) => ({ from: one.from, to: missingKey(one) }))];
  for (const box of all) graph.setNode(numberOf(box.id), { width: widthOf(box), height: HEIGHT });
  for (const { from, to } of pairs) graph.setEdge(numberOf(from), numberOf(to));
  layout(graph);
  const boxes = all.map((box) => {
    const { x, y, width, height } = graph.node(numberOf(box.id)) as Box;
    return { ...box, x: x - width / 2, y: y - height / 2, width, height };
  });
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const lines = pairs.map(({ from, to }) => {
    const { points = [] } = graph.edge(numberOf(from), numberOf(to)) as { points?: readonly Point[] };
    const [start, end] = [byId.get(from), byId.get(to)];
    const path = start && end ? curve(atSides(points, start, end)) : "";
    return { key: end?.kind === "skill" ? edgeKey({ from, to }) : to, from, to, path };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, boxes, lines };
}

function widthOf({ name, hidden, inCycle, kind }: Pick<Box, "name" | "hidden" | "inCycle" | "kind">): number {
  const marks = (hidden > 0 ? 34 : 0) + (inCycle ? 58 : 0) + (kind === "skill" ? 0 : 70);
  const letters = [...name.slice(0, 60)].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
  return Math.min(Math.max(letters * LETTER + ROOM, WIDTHS.min), WIDTHS.max) + marks;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line leaves in the middle of one side and arrives in the middle of the other; dagre uses the nearest point. */
function atSides(points: readonly Point[], from: Box, to: Box): Point[] {
  const isForward = to.x > from.x;
  // The way back is lower, so that two skills that lead to each other have two lines.
  const side = (box: Box, isRight: boolean): Point => ({
    x: isRight ? box.x + box.width : box.x,
    y: box.y + box.height * (isForward ? 0.5 : 0.8),
  });
  return [side(from, isForward), ...points.slice(1, -1), side(to, !isForward)];
}

/** A line through the points that leaves and arrives horizontally. */
function curve([first, ...rest]: readonly Point[]): string {
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
