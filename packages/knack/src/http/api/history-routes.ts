import { runReport } from "@knack/engine";
import * as z from "zod";
import { HttpError } from "../server/http-error.ts";
import { readChoice, readLimit } from "./read-query.ts";
import { json, type Route } from "./route.ts";
import * as schema from "./schemas.ts";

const named = (name: string, description: string) =>
  ({ name, in: "path", description, schema: schema.text, required: true }) as const;

/** Routes for runs and plans. */
export const historyRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/runs",
    summary: "The history of runs, newest first, as knack runs --json prints it.",
    parameters: [
      { name: "skill", in: "query", description: "Only of this typed skill.", schema: schema.text },
      {
        name: "status",
        in: "query",
        description: "Only in this state.",
        schema: schema.runStatus,
      },
      {
        name: "limit",
        in: "query",
        description: "Maximum number of runs: 50 by default, at most 500.",
        schema: schema.atLeastOne,
      },
    ],
    answer: z.strictObject({ runs: z.array(schema.run), count: schema.count }),
    handle: async ({ query }, { host }) => {
      const skill = query.get("skill");
      const status = readChoice(query, "status", schema.runStatus.options);
      const runs = await host.engine.runs({
        limit: readLimit(query, 50, 500),
        ...(skill ? { skill } : {}),
        ...(status ? { status } : {}),
      });
      return json({ runs: runs.map((run) => runReport(run)), count: runs.length });
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}",
    summary: "One run with the end of its log.",
    parameters: [named("id", "The id of a run.")],
    answer: schema.runWithLog,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const run = await host.engine.findRun(params.id ?? "");
      if (!run) throw new HttpError(404, "NOT_FOUND", "There is no such run; /api/runs lists them.");
      return json({ ...runReport(run), log: run.logTail });
    },
  },
  {
    method: "GET",
    path: "/api/plans",
    summary: "The plans that were applied.",
    answer: z.strictObject({ plans: z.array(schema.plan), count: schema.count }),
    handle: async (_asked, { host }) => {
      const plans = await host.engine.plans();
      return json({ plans, count: plans.length });
    },
  },
  {
    method: "GET",
    path: "/api/plans/{id}",
    summary:
      "The state of a plan, as knack plan status --json prints it. Reading it does not bind files that wait in workspace/inputs.",
    parameters: [named("id", "The id of a plan.")],
    answer: schema.planStatus,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const status = await host.engine.planStatus(params.id ?? "");
      if (!status) throw new HttpError(404, "NOT_FOUND", "There is no such plan; /api/plans lists them.");
      return json(status);
    },
  },
];
