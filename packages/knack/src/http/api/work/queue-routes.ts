import * as z from "zod";
import { readLimit } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import * as schema from "./queue-schemas.ts";

const queueId: Parameter = {
  name: "id",
  in: "path",
  description: "The id of a queued run.",
  schema: common.text,
  required: true,
};

const ENDED = 20;

/** Routes for what waits for a worker; 400 where the store is not PostgreSQL. */
export const queueRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/queue",
    summary:
      "What waits and why, what runs where, what failed, and the workers, as knack queue --json prints it; the last runs that succeeded or were cancelled; and how many runs ended per minute in the last hour. Needs a PostgreSQL store.",
    parameters: [
      {
        name: "limit",
        in: "query",
        description: "Maximum number of entries of each kind: 100 by default, at most 1000.",
        schema: common.atLeastOne,
      },
    ],
    answer: schema.queue,
    failures: [400],
    handle: async ({ query }, { host: { engine } }) => {
      const queue = await engine.queue();
      const report = await queue.list(readLimit(query, 100, 1000));
      return json({ ...report, ended: await queue.ended(ENDED), throughput: await queue.throughput() });
    },
  },
  {
    method: "GET",
    path: "/api/queue/{id}",
    summary: "A queued run in any state, and why it waits.",
    parameters: [queueId],
    answer: schema.entry,
    failures: [400, 404],
    handle: async ({ params }, { host: { engine } }) =>
      json(await (await engine.queue()).find(params.id ?? "")),
  },
  {
    method: "POST",
    isRecorded: true,
    path: "/api/queue/retry",
    summary: "Queues all dead runs again, as knack queue retry --all. Each gets three new tries.",
    body: common.nothing,
    answer: z.strictObject({ retried: common.count }),
    failures: [400],
    handle: async (_asked, { host: { engine } }) =>
      json({ retried: (await (await engine.queue()).retryAll()).length }),
  },
  {
    method: "POST",
    isRecorded: true,
    path: "/api/queue/{id}/retry",
    summary: "Queues a run again that failed, is dead or was cancelled. It gets three new tries.",
    parameters: [queueId],
    body: common.nothing,
    answer: schema.entry,
    failures: [400, 404, 409],
    handle: async ({ params }, { host: { engine } }) =>
      json(await (await engine.queue()).retry(params.id ?? "")),
  },
  {
    method: "POST",
    isRecorded: true,
    path: "/api/queue/{id}/cancel",
    summary: "Cancels a run that waits or runs. The worker of a running one ends it within a second.",
    parameters: [queueId],
    body: common.nothing,
    answer: schema.entry,
    failures: [400, 404, 409],
    handle: async ({ params }, { host: { engine } }) =>
      json(await (await engine.queue()).cancel(params.id ?? "")),
  },
];
