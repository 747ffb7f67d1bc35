import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "@knack/core/files";
import type { KnackError } from "@knack/core/text";
import { type PlanView, planAsDot, planAsMermaid, planView, queuedOfPlan } from "@knack/engine";
import * as z from "zod";
import { confirmer } from "../../host/access.ts";
import type { Host } from "../../host/host.ts";
import { notFound } from "../../options.ts";
import { namedFile, namedPlan } from "../access/inside-project.ts";
import { route } from "../api/route.ts";
import {
  anything,
  blockedReason,
  count,
  fault,
  keptFile,
  nothing,
  requirementKind,
  taskStatus,
  text,
  words,
  yes,
} from "../api/schemas.ts";
import { planRunState } from "../plan-runs.ts";
import { queuedRun } from "./queue.ts";

const MAX_PARALLEL = 16;
const PARALLEL = `must be a number from 1 to ${MAX_PARALLEL}`;

const requirement = z.strictObject({
  name: text,
  kind: requirementKind,
  required: yes,
  min_count: count,
  have: count,
  satisfied: yes,
});
const task = z.strictObject({
  id: text,
  title: text,
  status: taskStatus,
  blocked_reason: blockedReason.nullable(),
  depends_on: z.array(text),
  requirements: z.array(requirement),
  run: text.exactOptional(),
});
const missing = z.strictObject({
  requirement: text,
  kind: requirementKind,
  skill: text.exactOptional(),
  command: text,
});
const planStatus = z.strictObject({
  plan: text,
  tasks: z.array(task.extend({ waits_for: z.array(missing) })),
});

const detailedTask = task.extend({
  skill: text.nullable(),
  failures: count,
  inputs: z.array(
    z.union([
      z.strictObject({ role: text.nullable(), file: text }),
      z.strictObject({ role: text.nullable(), task: text, artifact: text }),
    ]),
  ),
  params: anything,
  requirements: z.array(
    requirement.extend({
      allowed_types: z.array(text),
      skill: text.nullable(),
      evidence: text.nullable(),
      evidences: z.array(
        z.strictObject({
          type: text,
          kind: text.nullable(),
          run: text.nullable(),
          path: text.nullable(),
          sha256: text.nullable(),
          by: text.nullable(),
          created_at: text,
        }),
      ),
    }),
  ),
  waits_for: z.array(
    z.strictObject({
      kind: z.enum(["task", "file", "confirmation", "skill", "failure"]),
      name: text,
      text,
    }),
  ),
  queued: queuedRun.pick({ id: true, state: true, error: true }).nullable(),
  /** Of the last run of the plan by this server. */
  cached: yes.exactOptional(),
  error: fault.exactOptional(),
  kept: z.array(keptFile).exactOptional(),
});

export const planRoutes = [
  route("GET /api/plans", "reader", {
    summary: "The plans that were applied.",
    answer: z.strictObject({
      plans: z.array(
        z.strictObject({ plan: text, title: text, tasks: count, done: count, updated_at: text }),
      ),
      count,
    }),
    handle: async (_asked, { host }) => {
      const plans = await host.engine.plans();
      return { plans, count: plans.length };
    },
  }),
  route("POST /api/plans", "runner", {
    summary: "Applies a plan, as knack plan apply: reads the file and binds the files that lie ready for it.",
    body: z.strictObject({ file: words }),
    answer: z.strictObject({ plan: text, changed: yes, status: planStatus }),
    failures: [404],
    handle: async ({ body, caller }, { host: { engine, live } }) => {
      await live.refresh();
      const file = namedPlan(caller, live.catalog.projectRoot, body.file);
      const { plan, changed, status } = await engine.applyPlan(file);
      return { plan: plan.id, changed, status };
    },
  }),
  route("GET /api/plans/{id}", "reader", {
    summary:
      "A plan with the state of its tasks, as knack plan status --json prints it, their evidence, what each one waits for, and whether it is run now. Reading it does not bind files that wait in workspace/inputs.",
    answer: z.strictObject({
      plan: text,
      title: text,
      file: text,
      updated_at: text,
      tasks: z.array(detailedTask),
      run: planRunState,
    }),
    handle: async ({ params }, { host, plans }) => {
      const view = await findPlan(host, params.id);
      const queue = await queuedOfPlan(await host.engine.store(), view.plan);
      const queued = new Map(queue.map(({ id, task, state, error }) => [task, { id, state, error }]));
      return {
        ...view,
        file: shownPath(view.file, host.live.catalog.projectRoot),
        tasks: view.tasks.map((one) => ({
          ...one,
          queued: queued.get(`${view.plan}/${one.id}`) ?? null,
          ...plans.outcome(view.plan, one.id),
        })),
        run: plans.state(view.plan),
      };
    },
  }),
  route("GET /api/plans/{id}/drawing", "reader", {
    summary: "The task graph as text for Mermaid or Graphviz, as knack plan status --format prints it.",
    query: { format: z.enum(["mermaid", "dot"]).default("mermaid").describe("mermaid (default) or dot.") },
    type: "text/plain",
    handle: async ({ params, query }, { host }) => {
      const status = await host.engine.planStatus(params.id);
      if (!status) throw unknownPlan();
      const draw = query.format === "dot" ? planAsDot : planAsMermaid;
      return new Response(draw(status.tasks), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
    },
  }),
  route("POST /api/plans/{id}/run", "runner", {
    summary:
      "Starts to run what is READY until nothing is left, as knack plan run, and answers at once. /api/events and /api/plans/{id} say how far it is.",
    body: z.strictObject({
      parallel: z.int(PARALLEL).min(1, PARALLEL).max(MAX_PARALLEL, PARALLEL).default(4),
    }),
    answer: planRunState,
    failures: [409],
    handle: async ({ params, body }, { host, plans }) => {
      const { plan, file } = await findPlan(host, params.id);
      await host.live.refresh();
      return plans.start(plan, file, body.parallel);
    },
  }),
  route("POST /api/plans/{id}/stop", "runner", {
    summary: "Stops a plan that this server runs. Tasks in progress are cancelled and stay READY.",
    isRecorded: true,
    body: nothing,
    answer: z.strictObject({ stopped: yes }),
    handle: async ({ params }, { host, plans }) => {
      const { plan } = await findPlan(host, params.id);
      return { stopped: await plans.stop(plan) };
    },
  }),
  route("POST /api/plans/{id}/tasks/{task}/evidence", "approver", {
    summary: "Confirms a requirement of a task, or attaches a file that is there, as knack evidence add.",
    body: z.union(
      [
        z.strictObject({ requirement: words, confirm: z.literal(true) }),
        z.strictObject({ requirement: words, file: text }),
      ],
      'Send {"requirement": NAME} with either "confirm": true or "file": a path',
    ),
    answer: z.strictObject({ added: yes, status: planStatus }),
    failures: [409],
    handle: async ({ params, body, caller }, { host: { engine, live } }) => {
      const evidence =
        "file" in body
          ? { file: namedFile(caller, live.catalog.projectRoot, body.file) }
          : ({ confirm: true, by: await confirmer() } as const);
      const { added, status } = await engine.addEvidence(
        `${params.id}/${params.task}`,
        body.requirement,
        evidence,
      );
      return { added, status };
    },
  }),
  route("POST /api/plans/{id}/tasks/{task}/files", "approver", {
    summary:
      "Attaches an uploaded file to a requirement of a task. The body is the file; it is kept below workspace/attached in the project.",
    query: {
      requirement: text.describe("The name of a requirement for files."),
      name: text.describe("The name of the file, without folders."),
    },
    upload: true,
    answer: z.strictObject({ added: yes, path: text, status: planStatus }),
    failures: [409],
    handle: async ({ params, query: { requirement, name }, upload }, { host: { engine } }) => {
      const file = { name, bytes: upload() };
      const { added, status, path } = await engine.attach(`${params.id}/${params.task}`, requirement, file);
      return { added, path, status };
    },
  }),
];

async function findPlan({ engine }: Host, id: string): Promise<PlanView> {
  const view = await planView(await engine.history(), id);
  if (view) return view;
  throw unknownPlan();
}

function unknownPlan(): KnackError {
  return notFound("There is no such plan; /api/plans lists them.");
}

function shownPath(file: string, root: string): string {
  return isAbsolute(file) && isInside(file, root) ? relative(root, file).split(sep).join("/") : file;
}
