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

/** What the list beside the drawing says, row by row. */
export type GraphRow =
  | { readonly key: string; readonly heading: string }
  | { readonly key: string; readonly edge: PartEdge; readonly name: string; readonly other: string }
  | {
      readonly key: string;
      readonly missing: GraphPart["missing"][number];
      readonly name: string;
      readonly other: string;
    }
  | { readonly key: string; readonly cycle: readonly string[]; readonly other: string }
  | {
      readonly key: string;
      readonly skill: string;
      readonly other: string;
      readonly out: number;
      readonly in: number;
    };

const section = (heading: string, rows: readonly GraphRow[]): GraphRow[] =>
  rows.length === 0 ? [] : [{ key: `# ${heading}`, heading: `${heading} (${rows.length})` }, ...rows];

/** Around a skill: what it leads to, what leads to it, then the edges further away. */
export function rowsAround(part: GraphPart, hidden: ReadonlySet<EdgeType>): GraphRow[] {
  const names = new Map(part.nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const shown = part.edges.filter(({ type }) => !hidden.has(type));
  const row = (edge: PartEdge, other: string, name = nameOf(other)): GraphRow => ({
    ...{ key: edgeKey(edge), edge, name, other },
  });
  const away = shown.filter(({ from, to }) => from !== part.focus && to !== part.focus);
  return [
    ...section(
      "Leads to",
      shown.filter(({ from }) => from === part.focus).map((edge) => row(edge, edge.to)),
    ),
    ...section(
      "Comes from",
      shown.filter(({ to }) => to === part.focus).map((edge) => row(edge, edge.from)),
    ),
    ...section(
      part.focus === null ? "Edges" : "Further away",
      away.map((edge) => row(edge, edge.to, `${nameOf(edge.from)} → ${nameOf(edge.to)}`)),
    ),
    ...section(
      "Unresolved references",
      part.missing.map((missing) => ({
        key: missingKey(missing),
        missing,
        name: missing.from === part.focus ? missing.name : `${nameOf(missing.from)} → ${missing.name}`,
        other: missing.from,
      })),
    ),
  ];
}

/** The whole: cycles, references that lead nowhere, then the skills with the most edges first. */
export function rowsOfWhole({ nodes, edges, cycles, missing }: Outline, text = ""): GraphRow[] {
  const wanted = text.trim().toLowerCase();
  const counts = nodes.map(() => ({ out: 0, in: 0 }));
  for (const { from, to } of edges) {
    const [start, end] = [counts[from], counts[to]];
    if (start) start.out++;
    if (end) end.in++;
  }
  const skills = nodes.map(({ id, name }, at) => ({
    key: id,
    skill: name,
    other: id,
    ...(counts[at] ?? { out: 0, in: 0 }),
  }));
  if (wanted !== "") return found(skills, wanted);
  const nameOf = (at: number): string => nodes[at]?.name ?? "";
  const idOf = (at: number): string => nodes[at]?.id ?? "";
  const many = (row: (typeof skills)[number]): number => row.out + row.in;
  return [
    ...section(
      "Cycles",
      cycles.map((cycle) => ({
        key: `cycle ${cycle.join(" ")}`,
        cycle: cycle.map(nameOf),
        other: idOf(cycle[0] ?? -1),
      })),
    ),
    ...section(
      "Unresolved references",
      missing.map((one) => {
        const from = idOf(one.from);
        const key = missingKey({ from, name: one.name });
        return { key, missing: { ...one, from }, name: `${nameOf(one.from)} → ${one.name}`, other: from };
      }),
    ),
    ...section(
      "Skills with edges",
      skills.filter((row) => many(row) > 0).sort((a, b) => many(b) - many(a)),
    ),
    ...section(
      "Skills without edges",
      skills.filter((row) => many(row) === 0),
    ),
  ];
}

/** Names that begin with the text come before those that contain it. */
function found<T extends GraphRow & { readonly skill: string }>(
  skills: readonly T[],
  wanted: string,
): GraphRow[] {
  const at = skills.map((row) => [row, row.skill.toLowerCase().indexOf(wanted)] as const);
  const matching = at.filter(([, place]) => place >= 0);
  matching.sort(([a, first], [b, second]) => first - second || a.skill.length - b.skill.length);
  return section(
    "Found",
    matching.map(([row]) => row),
  );
}
