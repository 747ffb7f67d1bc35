import { type EdgeType, edgeKey, type Outline, type Part, type PartEdge } from "../edge-kinds.tsx";
import { missingKey } from "../layered/lay-out.ts";

/** What the list beside the drawing says, row by row. */
export type Row =
  | { readonly key: string; readonly heading: string }
  | { readonly key: string; readonly edge: PartEdge; readonly name: string; readonly other: string }
  | {
      readonly key: string;
      readonly missing: Part["missing"][number];
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

const section = (heading: string, rows: readonly Row[]): Row[] =>
  rows.length === 0 ? [] : [{ key: `# ${heading}`, heading: `${heading} (${rows.length})` }, ...rows];

/** Around a skill: what it leads to, what leads to it, then the edges further away. */
export function rowsAround(part: Part, hidden: ReadonlySet<EdgeType>): Row[] {
  const names = new Map(part.nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const shown = part.edges.filter(({ type }) => !hidden.has(type));
  const row = (edge: PartEdge, other: string, name = nameOf(other)): Row => ({
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
export function rowsOfWhole({ nodes, edges, cycles, missing }: Outline, text = ""): Row[] {
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
function found<T extends Row & { readonly skill: string }>(skills: readonly T[], wanted: string): Row[] {
  const at = skills.map((row) => [row, row.skill.toLowerCase().indexOf(wanted)] as const);
  const matching = at.filter(([, place]) => place >= 0);
  matching.sort(([a, first], [b, second]) => first - second || a.skill.length - b.skill.length);
  return section(
    "Found",
    matching.map(([row]) => row),
  );
}
