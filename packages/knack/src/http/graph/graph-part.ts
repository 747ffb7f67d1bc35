import type { PlacedGraph } from "./placed-graph.ts";

interface Wanted {
  /** The place of the skill in the middle; without it, all skills that have edges. */
  readonly focus?: number | undefined;
  readonly depth: number;
  readonly limit: number;
}

/** The skills around one, nearest first, with the sentence and the rules behind each edge between them. */
export function graphPart({ nodes, edges, missing }: PlacedGraph, { focus, depth, limit }: Wanted) {
  const neighbours = new Map<number, Set<number>>();
  const join = (from: number, to: number): void => {
    const all = neighbours.get(from) ?? new Set();
    neighbours.set(from, all.add(to));
  };
  for (const { from, to } of edges) {
    join(from, to);
    join(to, from);
  }
  const distance = new Map<number, number>();
  if (focus === undefined) {
    for (const at of [...neighbours.keys(), ...missing.map(({ from }) => from)].sort((a, b) => a - b))
      distance.set(at, 0);
  } else {
    distance.set(focus, 0);
    // A Map is walked in the order in which it grows: a breadth-first search.
    for (const [at, steps] of distance)
      for (const next of steps < depth ? (neighbours.get(at) ?? []) : [])
        if (!distance.has(next)) distance.set(next, steps + 1);
  }
  const shown = new Map([...distance].slice(0, limit));
  const idOf = (at: number): string => nodes[at]?.id ?? "";
  return {
    focus: focus === undefined ? null : idOf(focus),
    nodes: [...shown].map(([at, steps]) => ({
      id: idOf(at),
      name: nodes[at]?.name ?? "",
      distance: steps,
      hidden: [...(neighbours.get(at) ?? [])].filter((one) => !shown.has(one)).length,
    })),
    edges: edges
      .filter(({ from, to }) => shown.has(from) && shown.has(to))
      .map(({ from, to, cycle, edge: { type, alternative, line, text, reason } }) => ({
        from: idOf(from),
        to: idOf(to),
        type,
        alternative,
        cycle,
        line,
        sentence: reason?.sentence ?? text,
        rules: [...(reason?.rules ?? [])],
      })),
    missing: missing
      // Like edges to skills: only those that leave from before the last step.
      .filter(({ from }) => (focus === undefined ? shown.has(from) : (shown.get(from) ?? depth) < depth))
      .map(({ from, ...rest }) => ({ from: idOf(from), ...rest })),
    left_out: distance.size - shown.size,
  };
}
