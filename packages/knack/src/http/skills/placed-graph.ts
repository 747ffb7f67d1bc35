import { type Catalog, type Edge, type SkillGraph, skillGraph } from "@knack/core";

const graphs = new WeakMap<Catalog, ReturnType<typeof make>>();

/** The graph of a catalog, with the rules behind its edges, made once per snapshot; `placed`: the same by places. */
export function graphOf(catalog: Catalog): ReturnType<typeof make> {
  const graph = graphs.get(catalog) ?? make(catalog);
  graphs.set(catalog, graph);
  return graph;
}

async function make(catalog: Catalog) {
  const graph = await skillGraph(catalog, { explain: true });
  return { ...graph, placed: place(graph) };
}

/** The graph with the places of nodes instead of names, which several skills may share. */
type PlacedGraph = ReturnType<typeof place>;

function place({ nodes, edges, cycles, dangling }: SkillGraph) {
  const byPath = new Map(nodes.map(({ path }, at) => [path, at]));
  const byName = new Map(nodes.map(({ name }, at) => [name, at] as const).reverse());
  const steps = new Set(
    cycles.flatMap((cycle) => cycle.map((name, at) => `${name}\n${cycle[(at + 1) % cycle.length]}`)),
  );
  const placed: { from: number; to: number; cycle: boolean; edge: Edge }[] = [];
  const missing: { from: number; name: string; line: number; why: "none" | "several" }[] = [];
  /** The skills of cycles; a name alone may mean another skill. */
  const inCycle = new Map<string, number>();
  for (const edge of edges) {
    const from = byPath.get(edge.fromPath);
    const to = edge.toPath === null ? undefined : byPath.get(edge.toPath);
    if (from === undefined) continue;
    if (to === undefined) {
      const why = byName.has(edge.to) ? "several" : "none";
      missing.push({ from, name: edge.to, line: edge.line, why });
      continue;
    }
    const cycle = edge.type === "requires_now" && !edge.alternative && steps.has(`${edge.from}\n${edge.to}`);
    if (cycle) inCycle.set(edge.from, from);
    placed.push({ from, to, cycle, edge });
  }
  const told = new Set(missing.map(({ from, name }) => `${from} ${name}`));
  for (const { from, name, line } of dangling) {
    const at = byName.get(from);
    if (at === undefined || told.has(`${at} ${name}`)) continue;
    told.add(`${at} ${name}`);
    missing.push({ from: at, name, line, why: "none" });
  }
  return {
    nodes,
    edges: placed,
    cycles: cycles.map((cycle) => cycle.map((name) => inCycle.get(name) ?? byName.get(name) ?? 0)),
    missing,
  };
}

/**
 * The skills around the one at `focus`, nearest first, with the sentence and the rules behind each edge between them. Without
 * a focus all skills that have edges.
 */
export function graphPart(
  { nodes, edges, missing }: PlacedGraph,
  { focus, depth, limit }: { readonly focus?: number; readonly depth: number; readonly limit: number },
) {
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
        rules: reason?.rules ?? [],
      })),
    missing: missing
      // Like edges to skills: only those that leave from before the last step.
      .filter(({ from }) => (focus === undefined ? shown.has(from) : (shown.get(from) ?? depth) < depth))
      .map(({ from, ...rest }) => ({ from: idOf(from), ...rest })),
    left_out: distance.size - shown.size,
  };
}
