import { SkillError } from "@knack/core";
import { readCount } from "../api/read-query.ts";
import { json, type Route } from "../api/route.ts";
import { atLeastOne, text } from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { graphPart } from "./graph-part.ts";
import { placedGraphOf } from "./placed-graph.ts";
import * as schema from "./schemas.ts";

const MAX_DEPTH = 3;
/** More boxes and lines are not legible. */
const MAX_NODES = 300;

/** Routes for the page Graph. */
export const graphRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/graph/outline",
    summary: "The whole graph in short: skills, edges by their places, cycles, references that lead nowhere.",
    answer: schema.outline,
    handle: async (_asked, { catalog }) => {
      const { nodes, edges, cycles, missing } = await placedGraphOf(await catalog());
      return json({
        nodes: nodes.map(({ id, name }) => ({ id, name })),
        edges: edges.map(({ from, to, cycle, edge: { type, alternative } }) => ({
          from,
          to,
          type,
          alternative,
          cycle,
        })),
        cycles,
        missing,
      });
    },
  },
  {
    method: "GET",
    path: "/api/graph/part",
    summary: "The skills around one, nearest first, with the sentence and the rules behind each edge.",
    parameters: [
      {
        name: "around",
        in: "query",
        description:
          "The id of a skill, or its name or scope:name if only one skill has it. Without it: all skills that have edges.",
        schema: text,
      },
      {
        name: "depth",
        in: "query",
        description: `How many steps away: 1 by default, at most ${MAX_DEPTH}.`,
        schema: atLeastOne,
      },
      {
        name: "limit",
        in: "query",
        description: `How many skills at most: 100 by default, at most ${MAX_NODES}.`,
        schema: atLeastOne,
      },
    ],
    answer: schema.part,
    failures: [404, 409],
    handle: async ({ query }, { catalog }) => {
      const current = await catalog();
      const graph = await placedGraphOf(current);
      const depth = readCount(query, "depth", 1, MAX_DEPTH);
      const limit = readCount(query, "limit", 100, MAX_NODES);
      const around = query.get("around");
      if (around === null || around === "") return json(graphPart(graph, { depth, limit }));
      const { path } = findEntry(current, around).skill;
      const focus = graph.nodes.findIndex((node) => node.path === path);
      if (focus === -1)
        throw new SkillError("NOT_FOUND", "Only active skills have edges; enable the skill first.");
      return json(graphPart(graph, { focus, depth, limit }));
    },
  },
];
