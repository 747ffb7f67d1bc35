import * as z from "zod";
import { graphReport } from "../../host/reports.ts";
import { notFound } from "../../options.ts";
import { route } from "../api/route.ts";
import { count, edge, filter, limit, text, upTo, yes } from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { graphOf, graphPart } from "../skills/placed-graph.ts";

const MAX_DEPTH = 3;
/** More boxes and lines are not legible. */
const MAX_NODES = 400;

const { type, alternative, line } = edge.shape;
const missing = z.strictObject({
  name: text,
  line,
  /** "several": more than one skill has the name, and none is nearer. */
  why: z.enum(["none", "several"]),
});

export const graphRoutes = [
  route("GET /api/graph", "reader", {
    summary: "Which skill needs which, as knack graph --json prints it.",
    answer: z.strictObject({
      nodes: z.array(z.strictObject({ id: text, name: text, path: text })),
      edges: z.array(edge),
      cycles: z.array(z.array(text)),
      dangling: z.array(z.strictObject({ from: text, name: text, line: count })),
    }),
    handle: async (_asked, { catalog }) => graphReport(await graphOf(await catalog())),
  }),
  route("GET /api/graph/outline", "reader", {
    summary: "The whole graph in short: skills, edges by their places, cycles, references that lead nowhere.",
    // Everything at once and therefore short: nodes are named by their place.
    answer: z.strictObject({
      nodes: z.array(z.strictObject({ id: text, name: text })),
      edges: z.array(z.strictObject({ from: count, to: count, type, alternative, cycle: yes })),
      cycles: z.array(z.array(count)),
      missing: z.array(missing.extend({ from: count })),
    }),
    handle: async (_asked, { catalog }) => {
      const { nodes, edges, cycles, missing } = (await graphOf(await catalog())).placed;
      return {
        nodes: nodes.map(({ id, name }) => ({ id, name })),
        edges: edges.map(({ from, to, cycle, edge: { type, alternative } }) => {
          return { from, to, type, alternative, cycle };
        }),
        cycles,
        missing,
      };
    },
  }),
  route("GET /api/graph/part", "reader", {
    summary: "The skills around one, nearest first, with the sentence and the rules behind each edge.",
    query: {
      around: filter(
        "The id of a skill, or its name or scope:name if only one skill has it. Without it: all skills that have edges.",
      ),
      depth: upTo(MAX_DEPTH).default(1).describe(`How many steps away: 1 by default, at most ${MAX_DEPTH}.`),
      limit: limit(100, MAX_NODES, "skills"),
    },
    answer: z.strictObject({
      focus: text.nullable(),
      nodes: z.array(
        z.strictObject({
          id: text,
          name: text,
          distance: count,
          hidden: count,
        }),
      ),
      edges: z.array(
        z.strictObject({
          from: text,
          to: text,
          type,
          alternative,
          cycle: yes,
          line,
          sentence: text,
          rules: z.array(text),
        }),
      ),
      missing: z.array(missing.extend({ from: text })),
      left_out: count,
    }),
    failures: [404, 409],
    handle: async ({ query: { around, ...size } }, { catalog }) => {
      const current = await catalog();
      const graph = (await graphOf(current)).placed;
      if (!around) return graphPart(graph, size);
      const { path } = findEntry(current, around).skill;
      const focus = graph.nodes.findIndex((node) => node.path === path);
      if (focus === -1) throw notFound("Only active skills have edges; enable the skill first.");
      return graphPart(graph, { focus, ...size });
    },
  }),
];
