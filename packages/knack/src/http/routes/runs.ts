import { actorOf, keyHistory, openRecorded, runReport, servedAgain } from "@knack/engine";
import * as z from "zod";
import type { Host } from "../../host/host.ts";
import { conflict, invalid, notFound } from "../../options.ts";
import { route } from "../api/route.ts";
import { count, cursor, filter, limit, nothing, run, runStatus, text, yes } from "../api/schemas.ts";
import { artifactResponse } from "./artifact-response.ts";

const LOG_PART = 64 * 1024;
const SERVED = 50;

type StoredRun = NonNullable<Awaited<ReturnType<Host["engine"]["findRun"]>>>;

export const runRoutes = [
  route("GET /api/runs", "reader", {
    summary:
      "The history of runs, newest first, as knack runs --json prints it; with cached=all also the results that were returned from an earlier run.",
    query: {
      skill: filter("Only of this typed skill."),
      status: runStatus.optional().describe("Only in this state."),
      cached: z
        .enum(["true", "false", "all"])
        .default("false")
        .describe("false: only runs that were executed; true: only results from an earlier run; all: both."),
      limit: limit(50, 500, "runs"),
      cursor,
    },
    answer: z.strictObject({
      runs: z.array(
        run.extend({
          /** A cached result: when it was returned, and who asked. */
          served: z.strictObject({ at: text, actor: text, seq: count }).nullable(),
        }),
      ),
      count,
      next_cursor: text.nullable(),
    }),
    handle: async ({ query: { limit, cached, ...wanted } }, { host: { engine } }) => {
      const found = await engine.runHistory({
        limit: limit + 1,
        skill: wanted.skill || undefined,
        status: wanted.status,
        cached: cached === "all" ? undefined : cached === "true",
        after: readCursor(wanted.cursor),
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const runs = page.map(({ run, served }) => {
        const { planId, taskId } = served ?? run;
        return {
          ...runReport({ ...run, planId, taskId }, served !== null),
          served: served && { at: served.at, actor: served.actor, seq: served.seq },
        };
      });
      return { runs, count: runs.length, next_cursor: last ? `${last.at}_${last.seq}_${last.id}` : null };
    },
  }),
  route("GET /api/runs/{id}", "reader", {
    summary: "One run with the end of its log.",
    answer: run.extend({
      log: text,
      actor: text.nullable(),
      /** Whether this server executes it now, so that its log can be followed and it can be cancelled. */
      live: yes,
    }),
    handle: async ({ params }, { host }) => {
      const found = await findRun(host, params.id);
      const live = host.engine.live.get(found.id);
      return {
        ...runReport(found),
        log: live?.log() ?? found.logTail,
        actor: await actorOf(await host.engine.history(), found.id),
        live: live !== undefined,
      };
    },
  }),
  route("GET /api/runs/{id}/key", "reader", {
    summary:
      "Why a run was executed: its key beside that of the nearest earlier run of the skill, and when its result was returned again.",
    answer: z.strictObject({
      key: text,
      reason: text,
      compared_with: z.strictObject({ id: text, started_at: text }).nullable(),
      parts: z.array(
        z.strictObject({
          part: z.enum(["version", "implementation", "input", "param", "environment"]),
          name: text,
          same: yes,
          before: text.nullable(),
          now: text.nullable(),
        }),
      ),
      served: z.array(z.strictObject({ at: text, actor: text, seq: count, task: text.nullable() })),
    }),
    handle: async ({ params }, { host }) => {
      const found = await findRun(host, params.id);
      const db = await host.engine.history();
      const served = (await servedAgain(db, found.id, SERVED)).map(({ at, actor, seq, planId, taskId }) => ({
        at,
        actor,
        seq,
        task: taskId === null || planId === null ? taskId : `${planId}/${taskId}`,
      }));
      return { key: found.key, ...(await keyHistory(db, found)), served };
    },
  }),
  route("GET /api/runs/{id}/log", "reader", {
    summary:
      "The log of a run from an offset, also while it runs on this server; the event runs of /api/events says when there is more. Start again at 0 when it has ended: the recorded log may be ordered differently.",
    query: { offset: count.default(0).describe("next of the part before.") },
    answer: z.strictObject({
      text,
      next: count,
      running: yes,
      /** Whether this server executes the run; otherwise its log is there when it has ended. */
      live: yes,
      status: runStatus,
    }),
    handle: async ({ params, query }, { host }) => {
      const { id, status, logTail } = await findRun(host, params.id);
      const live = host.engine.live.get(id);
      const whole = live?.log() ?? logTail;
      const part = whole.slice(query.offset, query.offset + LOG_PART);
      const next = Math.min(query.offset, whole.length) + part.length;
      const running = status === "RUNNING" || next < whole.length;
      return { text: part, next, running, live: live !== undefined, status };
    },
  }),
  route("POST /api/runs/{id}/cancel", "runner", {
    summary: "Cancels a run that this server executes. It is recorded as FAILED with SKILL_INTERRUPTED.",
    isRecorded: true,
    body: nothing,
    answer: z.strictObject({ id: text, cancelled: yes }),
    failures: [409],
    handle: async ({ params }, { host }) => {
      const { id, status } = await findRun(host, params.id);
      const live = host.engine.live.get(id);
      if (!live && status === "RUNNING")
        throw conflict("Another process executes this run; stop it there, for example with Ctrl-C.");
      live?.cancel();
      return { id, cancelled: live !== undefined };
    },
  }),
  route("GET /api/runs/{id}/artifacts/{name}", "reader", {
    summary:
      "The bytes of an artifact as they were recorded. Text of any kind is text/plain, so that nothing runs in a browser; 409 if the file was changed since.",
    query: { first: count.optional().describe("Only this many bytes from the beginning.") },
    type: "application/octet-stream",
    failures: [409],
    handle: async ({ params, query }, { host }) => {
      const artifact = findArtifact(await findRun(host, params.id), params.name);
      await host.engine.fetchArtifact(artifact);
      const opened = await openRecorded(host.live.catalog.projectRoot, artifact);
      return artifactResponse(artifact, opened, query.first);
    },
  }),
];

async function findRun({ engine }: Host, id: string): Promise<StoredRun> {
  const found = await engine.findRun(id);
  if (found) return found;
  throw notFound("There is no such run; /api/runs lists them.");
}

function readCursor(given = "") {
  if (given === "") return undefined;
  const [, at, seq, id] = /^([0-9T:.Z-]{10,40})_(\d{1,15})_([\w-]{1,100})$/.exec(given) ?? [];
  if (at === undefined || id === undefined) throw invalid("Invalid cursor; start again without one.");
  return { at, seq: Number(seq), id };
}

function findArtifact({ artifacts }: StoredRun, name: string): StoredRun["artifacts"][number] {
  const artifact = artifacts.find((one) => one.name === name);
  if (artifact) return artifact;
  throw notFound("The run made no such artifact.");
}
