import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "@knack/core/internal/engine";
import { type PlanView, planAsDot, planAsMermaid, planView, queuedOfPlan } from "@knack/engine";
import * as z from "zod";
import type { Host } from "../../../host/host.ts";
import { namedPlan } from "../../access/inside-project.ts";
import { HttpError } from "../../server/http-error.ts";
import { readChoice } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import * as schema from "./schemas.ts";

export const planId: Parameter = {
  name: "id",
  in: "path",
  description: "The id of a plan.",
  schema: common.text,
  required: true,
};

const FORMATS = ["mermaid", "dot"] as const;
const MAX_PARALLEL = 16;

/** Routes for plans: what was applied, and running it. */
export const planRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/plans",
    summary: "The plans that were applied.",
    answer: z.strictObject({ plans: z.array(common.plan), count: common.count }),
    handle: async (_asked, { host }) => {
      const plans = await host.engine.plans();
      return json({ plans, count: plans.length });
    },
  },
  {
    method: "POST",
    path: "/api/plans",
    summary: "Applies a plan, as knack plan apply: reads the file and binds the files that lie ready for it.",
    body: z.strictObject({ file: common.text }),
    answer: schema.applied,
    failures: [404],
    handle: async ({ body, caller }, { host: { engine, live } }) => {
      const file = readString(body, "file", ["file"]);
      await live.refresh();
      const { projectRoot } = live.catalog;
      const { plan, changed, status } = await engine.applyPlan(namedPlan(caller, projectRoot, file));
      return json({ plan: plan.id, changed, status });
    },
  },
  {
    method: "GET",
    path: "/api/plans/{id}",
    summary:
      "The state of a plan, as knack plan status --json prints it. Reading it does not bind files that wait in workspace/inputs.",
    parameters: [planId],
    answer: common.planStatus,
    failures: [404],
    handle: async ({ params }, { host }) => json(await findStatus(host, params.id)),
  },
  {
    method: "GET",
    path: "/api/plans/{id}/view",
    summary:
      "A plan in detail: its tasks, their evidence, what each one waits for, and whether it is run now.",
    parameters: [planId],
    answer: schema.planView,
    failures: [404],
    handle: async ({ params }, { host, plans }) => {
      const view = await findView(host, params.id);
      const queued = new Map(
        (await queuedOfPlan(await host.engine.store(), view.plan)).map(({ id, task, state, error }) => [
          task,
          { id, state, error },
        ]),
      );
      return json({
        ...view,
        file: shownPath(view.file, host.live.catalog.projectRoot),
        tasks: view.tasks.map((task) => ({
          ...task,
          queued: queued.get(`${view.plan}/${task.id}`) ?? null,
          ...plans.outcome(view.plan, task.id),
        })),
        run: plans.state(view.plan),
      });
    },
  },
  {
    method: "GET",
    path: "/api/plans/{id}/drawing",
    summary: "The task graph as text for Mermaid or Graphviz, as knack plan status --format prints it.",
    parameters: [
      planId,
      {
        name: "format",
        in: "query",
        description: "mermaid (default) or dot.",
        schema: z.enum(FORMATS),
      },
    ],
    type: "text/plain",
    failures: [404],
    handle: async ({ params, query }, { host }) => {
      const { tasks } = await findStatus(host, params.id);
      const draw = readChoice(query, "format", FORMATS) === "dot" ? planAsDot : planAsMermaid;
      return new Response(draw(tasks), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
    },
  },
  {
    method: "POST",
    path: "/api/plans/{id}/run",
    summary:
      "Starts to run what is READY until nothing is left, as knack plan run, and answers at once. /api/events and the plan's view say how far it is.",
    parameters: [planId],
    body: z.strictObject({ parallel: common.atLeastOne.exactOptional() }),
    answer: schema.planRun,
    failures: [404, 409],
    handle: async ({ params, body }, { host, plans }) => {
      const { parallel = 4 } = body;
      if (
        typeof parallel !== "number" ||
        !Number.isInteger(parallel) ||
        parallel < 1 ||
        parallel > MAX_PARALLEL
      )
        throw new HttpError(400, "INVALID_PARAM", `"parallel" must be a number from 1 to ${MAX_PARALLEL}.`);
      const { plan, file } = await findView(host, params.id);
      await host.live.refresh();
      return json(plans.start(plan, file, parallel));
    },
  },
  {
    method: "POST",
    path: "/api/plans/{id}/stop",
    isRecorded: true,
    summary: "Stops a plan that this server runs. Tasks in progress are cancelled and stay READY.",
    parameters: [planId],
    body: common.nothing,
    answer: z.strictObject({ stopped: common.yes }),
    failures: [404],
    handle: async ({ params }, { host, plans }) => {
      const { plan } = await findView(host, params.id);
      return json({ stopped: await plans.stop(plan) });
    },
  },
];

async function findStatus({ engine }: Host, id: string | undefined) {
  const status = await engine.planStatus(id ?? "");
  if (status) return status;
  throw unknownPlan();
}

async function findView({ engine }: Host, id: string | undefined): Promise<PlanView> {
  const view = await planView(await engine.history(), id ?? "");
  if (view) return view;
  throw unknownPlan();
}

function unknownPlan(): HttpError {
  return new HttpError(404, "NOT_FOUND", "There is no such plan; /api/plans lists them.");
}

/** Relative to the project if it is inside. */
function shownPath(file: string, root: string): string {
  return isAbsolute(file) && isInside(file, root) ? relative(root, file).split(sep).join("/") : file;
}

/** A required text of a body that has only these properties. */
export function readString(
  body: Readonly<Record<string, unknown>>,
  name: string,
  known: readonly string[],
): string {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new HttpError(400, "INVALID_PARAM", `Unknown property; known properties: ${known.join(", ")}.`);
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw new HttpError(400, "INVALID_PARAM", `"${name}" must be a text.`);
}
