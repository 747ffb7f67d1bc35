import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

/** A graph to arrange: places are x, y after each other; edges are pairs of places. */
export interface Unsettled {
  readonly places: Float32Array;
  readonly edges: Uint32Array;
  /** How long it may take. */
  readonly ms: number;
}

const ROUNDS_AT_ONCE = 12;
const MAX_ROUNDS = 600;

/** Moves what is joined together and the rest apart, in steps, until the time is used up. */
export function* settle({ places, edges, ms }: Unsettled): Generator<Float32Array> {
  const graph = new Graph({ type: "undirected" });
  for (let at = 0; at < places.length / 2; at++)
    graph.addNode(at, { x: places[at * 2] ?? 0, y: places[at * 2 + 1] ?? 0 });
  for (let at = 0; at < edges.length; at += 2) graph.mergeEdge(edges[at], edges[at + 1]);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: graph.order > 500,
    // Stronger than the default, so that small groups stay near the large one.
    gravity: 0.12,
    scalingRatio: 12,
  };
  const end = performance.now() + ms;
  for (let rounds = 0; rounds < MAX_ROUNDS && performance.now() < end; rounds += ROUNDS_AT_ONCE) {
    forceAtlas2.assign(graph, { iterations: ROUNDS_AT_ONCE, settings });
    const next = new Float32Array(places.length);
    graph.forEachNode((node, { x, y }) => {
      next[Number(node) * 2] = x;
      next[Number(node) * 2 + 1] = y;
    });
    yield next;
  }
}
