import * as z from "zod";
import { route } from "../api/route.ts";
import { count, limit, nothing, text, yes } from "../api/schemas.ts";

export const queuedRun = z.strictObject({
  id: text,
  skill: text,
  task: text.nullable(),
  state: z.enum(["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "DEAD", "CANCELLED"]),
  worker: text.nullable(),
  error: text.nullable(),
  since: text,
  priority: z.int(),
  attempts: count,
  run: text.nullable(),
  queued_by: text,
});

const worker = z.strictObject({
  id: text,
  host: text,
  pid: count,
  concurrency: count,
  running: count,
  tags: z.array(text),
  skills: z.array(text),
  started_at: text,
  seen_at: text,
  gone: yes,
});

const ENDED = 20;

/** Routes for what waits for a worker; 400 where the store is not PostgreSQL. */
export const queueRoutes = [
  route("GET /api/queue", "reader", {
    summary:
      "What waits and why, what runs where, what failed, and the workers, as knack queue --json prints it; the last runs that succeeded or were cancelled; and how many runs ended per minute in the last hour. Needs a PostgreSQL store.",
    query: { limit: limit(100, 1_000, "entries of each kind") },
    answer: z.strictObject({
      waiting: z.array(queuedRun),
      running: z.array(queuedRun),
      failed: z.array(queuedRun),
      dead: z.array(queuedRun),
      workers: z.array(worker),
      counts: z.strictObject({ waiting: count, running: count, failed: count, dead: count }),
      ended: z.array(queuedRun),
      /** How many runs ended in each minute of the last hour, the oldest first. */
      throughput: z.array(z.strictObject({ at: text, ended: count })),
    }),
    handle: async ({ query }, { host: { engine } }) => {
      const queue = await engine.queue();
      const report = await queue.list(query.limit);
      return { ...report, ended: await queue.ended(ENDED), throughput: await queue.throughput() };
    },
  }),
  route("GET /api/queue/{id}", "reader", {
    summary: "A queued run in any state, and why it waits.",
    answer: queuedRun,
    handle: async ({ params }, { host: { engine } }) => (await engine.queue()).find(params.id),
  }),
  route("POST /api/queue/retry", "runner", {
    summary: "Queues all dead runs again, as knack queue retry --all. Each gets three new tries.",
    isRecorded: true,
    body: nothing,
    answer: z.strictObject({ retried: count }),
    handle: async (_asked, { host: { engine } }) => ({
      retried: (await (await engine.queue()).retryAll()).length,
    }),
  }),
  route("POST /api/queue/{id}/retry", "runner", {
    summary: "Queues a run again that failed, is dead or was cancelled. It gets three new tries.",
    isRecorded: true,
    body: nothing,
    answer: queuedRun,
    failures: [409],
    handle: async ({ params }, { host: { engine } }) => (await engine.queue()).retry(params.id),
  }),
  route("POST /api/queue/{id}/cancel", "runner", {
    summary: "Cancels a run that waits or runs. The worker of a running one ends it within a second.",
    isRecorded: true,
    body: nothing,
    answer: queuedRun,
    failures: [409],
    handle: async ({ params }, { host: { engine } }) => (await engine.queue()).cancel(params.id),
  }),
];
