import type { Answer } from "../../api/client.ts";
import { type Drawn, layOut } from "../../parts/layers.tsx";

export type GraphPart = Answer<"/api/graph/part">;
export type PartEdge = GraphPart["edges"][number];
export type Outline = Answer<"/api/graph/outline">;
export type EdgeType = PartEdge["type"];

export const EDGE_TYPES: readonly EdgeType[] = ["requires_now", "requires_later", "reference_only"];

export const edgeKey = ({ from, to }: Pick<PartEdge, "from" | "to">): string => `${from} ${to}`;

/** The key of the box of a name that means no skill. Ids have no line breaks. */
export const missingKey = ({ from, name }: { readonly from: string; readonly name: string }): string =>
  `${from}\n${name}`;

/** A skill in the drawing, or a name that means none. */
export interface Box {
  readonly id: string;
  readonly name: string;
  readonly kind: "skill" | "none" | "several";
  /** Neighbours that are not drawn. */
  readonly hidden: number;
  readonly isFocus: boolean;
  readonly inCycle: boolean;
  readonly width: number;
  readonly height: number;
}

const HEIGHT = 34;
/** Estimates of a monospace letter and of the room around a name. */
const LETTER = 7.4;
const ROOM = 44;
const WIDTHS = { min: 96, max: 260 } as const;

/** The skills of a part in layers, with the names that mean no skill. */
export function layOutPart({ focus, nodes, edges, missing }: GraphPart): Drawn<Box> {
  const inCycle = new Set(edges.flatMap(({ from, to, cycle }) => (cycle ? [from, to] : [])));
  const boxes: Omit<Box, "width" | "height">[] = [
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
  return layOut(
    boxes.map((box) => ({ ...box, width: widthOf(box), height: HEIGHT })),
    [...edges, ...missing.map((one) => ({ from: one.from, to: missingKey(one) }))],
  );
}

function widthOf({ name, hidden, inCycle, kind }: Pick<Box, "name" | "hidden" | "inCycle" | "kind">): number {
  const marks = (hidden > 0 ? 40 : 0) + (inCycle ? 74 : 0) + (kind === "skill" ? 0 : 70);
  const letters = [...name.slice(0, 60)].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
  return Math.min(Math.max(letters * LETTER + ROOM, WIDTHS.min), WIDTHS.max) + marks;
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

type Place = Pick<Drawn<Box>["boxes"][number], "id" | "x" | "y" | "width" | "height">;

/** The box that an arrow key leads to: the nearest one in that direction, the straighter the better. */
export function stepFrom(boxes: readonly Place[], id: string, key: string): string | undefined {
  const way = WAYS[key];
  const start = boxes.find((box) => box.id === id);
  if (!way || !start) return undefined;
  const middle = ({ x, y, width, height }: Place) => [x + width / 2, y + height / 2] as const;
  const [x, y] = middle(start);
  let best: { readonly id: string; readonly cost: number } | undefined;
  for (const box of boxes) {
    const [otherX, otherY] = middle(box);
    const along = (otherX - x) * way[0] + (otherY - y) * way[1];
    const aside = Math.abs((otherX - x) * way[1]) + Math.abs((otherY - y) * way[0]);
    const cost = along + aside * 2;
    if (box.id !== id && along > 1 && (!best || cost < best.cost)) best = { id: box.id, cost };
  }
  return best?.id;
}

/** A row of the list beside the drawing: a heading, or a name that leads to a skill. */
export interface GraphRow {
  readonly key: string;
  readonly name: string;
  /** The id of the skill; a heading has none. */
  readonly other?: string;
  readonly edge?: PartEdge;
  readonly fault?: string;
  readonly note?: string;
}

const section = (heading: string, rows: readonly GraphRow[]): GraphRow[] =>
  rows.length === 0 ? [] : [{ key: `# ${heading}`, name: `${heading} (${rows.length})` }, ...rows];

/** What a name is that means no skill, or more than one. */
export const WHY = {
  none: { word: "Missing", title: "There is no skill of this name" },
  several: { word: "Several", title: "Several skills have this name, and none is nearer" },
} as const;

const missingRow = (missing: GraphPart["missing"][number], name: string): GraphRow => ({
  key: missingKey(missing),
  name,
  other: missing.from,
  fault: WHY[missing.why].word,
  note: `line ${missing.line}`,
});

/** Around a skill: what it leads to, what leads to it, then the edges further away. */
export function rowsAround(part: GraphPart, hidden: ReadonlySet<EdgeType>): GraphRow[] {
  const { focus } = part;
  const names = new Map(part.nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const row = (edge: PartEdge, other: string, name = nameOf(other)): GraphRow => ({
    ...{ key: edgeKey(edge), edge, name, other },
  });
  const shown = part.edges.filter(({ type }) => !hidden.has(type));
  const out = shown.filter(({ from }) => from === focus);
  const into = shown.filter(({ from, to }) => from !== focus && to === focus);
  const away = shown.filter(({ from, to }) => from !== focus && to !== focus);
  const farRows = away.map((edge) => row(edge, edge.to, `${nameOf(edge.from)} → ${nameOf(edge.to)}`));
  const missing = part.missing.map((one) =>
    missingRow(one, one.from === focus ? one.name : `${nameOf(one.from)} → ${one.name}`),
  );
  const to = out.map((edge) => row(edge, edge.to));
  const from = into.map((edge) => row(edge, edge.from));
  return [
    ...section("Leads to", to),
    ...section("Comes from", from),
    ...section(focus === null ? "Edges" : "Further away", farRows),
    ...section("Unresolved references", missing),
  ];
}

/** The whole: cycles, references that lead nowhere, then the skills with the most edges first. */
export function rowsOfWhole({ nodes, edges, cycles, missing }: Outline, text = ""): GraphRow[] {
  const [out, into] = [nodes.map(() => 0), nodes.map(() => 0)];
  for (const { from, to } of edges) {
    out[from] = (out[from] ?? 0) + 1;
    into[to] = (into[to] ?? 0) + 1;
  }
  const skills = nodes.map(({ id, name }, at) => {
    const counts = [[out[at], "out"] as const, [into[at], "in"] as const].filter(([count]) => count);
    const note = counts.map((words) => words.join(" ")).join(" · ");
    return { key: id, name, other: id, note, edges: (out[at] ?? 0) + (into[at] ?? 0) };
  });
  const wanted = text.trim().toLowerCase();
  if (wanted !== "") return section("Found", matching(skills, wanted));
  const nameOf = (at: number): string => nodes[at]?.name ?? "";
  const idOf = (at: number): string => nodes[at]?.id ?? "";
  const cycleRows = cycles.map((cycle) => ({
    key: `cycle ${cycle.join(" ")}`,
    name: [...cycle, ...cycle.slice(0, 1)].map(nameOf).join(" → "),
    other: idOf(cycle[0] ?? -1),
    fault: "Cycle",
  }));
  const missingRows = missing.map((one) =>
    missingRow({ ...one, from: idOf(one.from) }, `${nameOf(one.from)} → ${one.name}`),
  );
  const connected = skills.filter((row) => row.edges > 0).sort((a, b) => b.edges - a.edges);
  const alone = skills.filter((row) => row.edges === 0);
  return [
    ...section("Cycles", cycleRows),
    ...section("Unresolved references", missingRows),
    ...section("Skills with edges", connected),
    ...section("Skills without edges", alone),
  ];
}

/** Names that begin with the text come before those that contain it. */
function matching(skills: readonly GraphRow[], wanted: string): GraphRow[] {
  const at = skills.map((row) => [row, row.name.toLowerCase().indexOf(wanted)] as const);
  return at
    .filter(([, place]) => place >= 0)
    .sort(([a, first], [b, second]) => first - second || a.name.length - b.name.length)
    .map(([row]) => row);
}
