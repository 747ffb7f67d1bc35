import type { QueueEntry, QueueReport, WorkerReport } from "@knack/engine";
import * as z from "zod";
import { count, text, yes } from "../schemas.ts";

/** Schemas of the answers about the queue. */

export const entry = z.strictObject({
  id: text,
  skill: text,
  task: text.nullable(),
  state: z.enum(["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "DEAD", "CANCELLED"]),
  /** The worker that runs it. */
  worker: text.nullable(),
  /** Why it waits, or failed. */
  error: text.nullable(),
  since: text,
  priority: z.int(),
  attempts: count,
  run: text.nullable(),
  queued_by: text,
}) satisfies z.ZodType<QueueEntry>;

const worker = z.strictObject({
  id: text,
  host: text,
  pid: count,
  concurrency: count,
  running: count,
  tags: z.array(text),
  /** The skills that it takes. */
  skills: z.array(text),
  started_at: text,
  seen_at: text,
  gone: yes,
}) satisfies z.ZodType<WorkerReport>;

const report = z.strictObject({
  waiting: z.array(entry),
  running: z.array(entry),
  failed: z.array(entry),
  dead: z.array(entry),
  workers: z.array(worker),
  counts: z.strictObject({ waiting: count, running: count, failed: count, dead: count }),
}) satisfies z.ZodType<QueueReport>;

export const queue = report.extend({
  /** The last runs that succeeded or were cancelled, the newest first. */
  ended: z.array(entry),
  /** How many runs ended in each minute of the last hour, the oldest first. */
  throughput: z.array(z.strictObject({ at: text, ended: count })),
});
