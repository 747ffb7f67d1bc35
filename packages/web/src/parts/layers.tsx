import { Graph, layout } from "@dagrejs/dagre";
import type { ComponentChildren, HTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "./layers.css";

interface Size {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export type Placed = Size & Point;

export interface Drawn<B extends Size> {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (B & Placed)[];
  readonly lines: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

const SPACE = { nodesep: 16, ranksep: 44, marginx: 18, marginy: 18 } as const;

/** Boxes in layers from left to right: what leads to a box stands left of it. Lines from or to nothing are left out. */
export function layOut<B extends Size>(
  sizes: readonly B[],
  edges: readonly { readonly from: string; readonly to: string }[],
): Drawn<B> {
  const graph = new Graph();
  // The best layers take twice as long to find, which is felt from here on.
  graph.setGraph({ rankdir: "LR", ...SPACE, ...(sizes.length > 100 ? { ranker: "tight-tree" } : {}) });
  graph.setDefaultEdgeLabel(() => ({}));
  // dagre keeps nodes in plain objects, where an id like "__proto__" breaks: it gets numbers.
  const numbers = new Map(sizes.map(({ id }, at) => [id, `n${at}`]));
  const numberOf = (id: string): string => numbers.get(id) ?? "";
  for (const { id, width, height } of sizes) graph.setNode(numberOf(id), { width, height });
  const known = edges.filter(({ from, to }) => numbers.has(from) && numbers.has(to));
  for (const { from, to } of known) graph.setEdge(numberOf(from), numberOf(to));
  layout(graph);
  const boxes = sizes.map((size) => {
    const { x, y } = graph.node(numberOf(size.id)) as Point;
    return { ...size, x: x - size.width / 2, y: y - size.height / 2 };
  });
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const lines = known.map(({ from, to }) => {
    const { points = [] } = graph.edge(numberOf(from), numberOf(to)) as { points?: readonly Point[] };
    const [start, end] = [byId.get(from), byId.get(to)];
    return { from, to, path: start && end ? curve(atSides(points, start, end)) : "" };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, boxes, lines };
}

/** The line leaves in the middle of one side and arrives in the middle of the other; dagre uses the nearest point. */
function atSides(points: readonly Point[], from: Placed, to: Placed): Point[] {
  const isForward = to.x > from.x;
  // The way back is lower, so that two boxes that lead to each other have two lines.
  const side = (box: Placed, isRight: boolean): Point => ({
    x: isRight ? box.x + box.width : box.x,
    y: box.y + box.height * (isForward ? 0.5 : 0.8),
  });
  // Between layers that are next to each other the points in the middle only add bends.
  const inner = points.length <= 3 ? [] : points.slice(1, -1);
  return [side(from, isForward), ...inner, side(to, !isForward)];
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

/** Names stay legible: a drawing that is much too wide scrolls. */
const SMALLEST = 0.75;

/** How much smaller a drawing of this width is shown in the box. */
export function useFit(width: number): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useLayoutEffect(() => {
    const view = box.current;
    if (!view) return;
    const fit = (): void => setScale(Math.min(1, Math.max(SMALLEST, view.clientWidth / width)));
    const watch = new ResizeObserver(fit);
    watch.observe(view);
    fit();
    return () => watch.disconnect();
  }, [width]);
  return [box, scale];
}

/** A drawing in layers that scrolls: the lines below, the boxes above them. */
export function Layers({
  drawn: { width, height },
  view,
  scale,
  lines,
  children,
  ...rest
}: Omit<HTMLAttributes<HTMLDivElement>, "width" | "height"> & {
  readonly drawn: { readonly width: number; readonly height: number };
  readonly view: RefObject<HTMLDivElement | null>;
  readonly scale: number;
  readonly lines: ComponentChildren;
}) {
  return (
    <div {...rest} class={`layers ${rest.class ?? ""}`} ref={view}>
      <div style={{ width: `${width}px`, height: `${height}px`, zoom: String(scale) }}>
        <svg width={width} height={height} aria-hidden="true">
          {lines}
        </svg>
        {children}
      </div>
    </div>
  );
}

export const boxStyle = ({ x, y, width, height }: Placed) => ({
  transform: `translate(${x}px, ${y}px)`,
  width: `${width}px`,
  height: `${height}px`,
});
