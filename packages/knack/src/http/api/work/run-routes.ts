import { actorOf, type HistoryPlace, keyHistory, runReport, servedAgain } from "@knack/engine";
import type { Host } from "../../../host/host.ts";
import { HttpError } from "../../server/http-error.ts";
import { readChoice, readLimit, readWhole } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import * as schema from "./schemas.ts";

export const runId: Parameter = {
  name: "id",
  in: "path",
  description: "The id of a run.",
  schema: common.text,
  required: true,
};

/** As much of a log as one answer has. */
const LOG_PART = 64 * 1024;
/** How many times a result was returned again that are listed. */
const SERVED = 50;

export type StoredRun = NonNullable<Awaited<ReturnType<Host["engine"]["findRun"]>>>;

export async function findRun({ engine }: Host, id: string | undefined): Promise<StoredRun> {
  const run = await engine.findRun(id ?? "");
  if (run) return run;
  throw new HttpError(404, "NOT_FOUND", "There is no such run; /api/runs lists them.");
}

/** Routes for the history of runs, and for runs in progress. */
export const runRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/runs",
    summary:
      "The history of runs, newest first, as knack runs --json prints it; with cached=all also the results that were returned from an earlier run.",
    parameters: [
      { name: "skill", in: "query", description: "Only of this typed skill.", schema: common.text },
      { name: "status", in: "query", description: "Only in this state.", schema: common.runStatus },
      {
        name: "cached",
        in: "query",
        description:
          "false (default): only runs that were executed; true: only results from an earlier run; all: both.",
        schema: schema.cached,
      },
      {
        name: "limit",
        in: "query",
        description: "Maximum number of runs: 50 by default, at most 500.",
        schema: common.atLeastOne,
      },
      { name: "cursor", in: "query", description: "next_cursor of the page before.", schema: common.text },
    ],
    answer: schema.runPage,
    handle: async ({ query }, { host: { engine } }) => {
      const limit = readLimit(query, 50, 500);
      const cached = readChoice(query, "cached", schema.cached.options) ?? "false";
      const found = await engine.runHistory({
        limit: limit + 1,
        skill: query.get("skill") || undefined,
        status: readChoice(query, "status", common.runStatus.options),
        cached: cached === "all" ? undefined : cached === "true",
        after: readCursor(query.get("cursor")),
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
      return json({
        runs,
        count: runs.length,
        next_cursor: last ? `${last.at}_${last.seq}_${last.id}` : null,
      });
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}",
    summary: "One run with the end of its log.",
    parameters: [runId],
    answer: schema.runDetail,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const run = await findRun(host, params.id);
      const live = host.engine.live.get(run.id);
      return json({
        ...runReport(run),
        log: live?.log() ?? run.logTail,
        actor: await actorOf(await host.engine.history(), run.id),
        live: live !== undefined,
      });
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}/key",
    summary:
      "Why a run was executed: its key beside that of the nearest earlier run of the skill, and when its result was returned again.",
    parameters: [runId],
    answer: schema.runKey,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const run = await findRun(host, params.id);
      const db = await host.engine.history();
      const served = await servedAgain(db, run.id, SERVED);
      return json({
        key: run.key,
        ...(await keyHistory(db, run)),
        served: served.map(({ at, actor, seq, planId, taskId }) => ({
          at,
          actor,
          seq,
          task: taskId === null || planId === null ? taskId : `${planId}/${taskId}`,
        })),
      });
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}/log",
    summary:
      "The log of a run from an offset, also while it runs on this server; the event runs of /api/events says when there is more. Start again at 0 when it has ended: the recorded log may be ordered differently.",
    parameters: [
      runId,
      { name: "offset", in: "query", description: "next of the part before.", schema: common.count },
    ],
    answer: schema.runLog,
    failures: [404],
    handle: async ({ params, query }, { host }) => {
      const run = await findRun(host, params.id);
      const live = host.engine.live.get(run.id);
      const whole = live?.log() ?? run.logTail;
      const offset = Math.min(readWhole(query, "offset") ?? 0, whole.length);
      const text = whole.slice(offset, offset + LOG_PART);
      const next = offset + text.length;
      return json({
        text,
        next,
        running: run.status === "RUNNING" || next < whole.length,
        live: live !== undefined,
        status: run.status,
      });
    },
  },
  {
    method: "POST",
    path: "/api/runs/{id}/cancel",
    isRecorded: true,
    summary: "Cancels a run that this server executes. It is recorded as FAILED with SKILL_INTERRUPTED.",
    parameters: [runId],
    body: common.nothing,
    answer: schema.cancelled,
    failures: [404, 409],
    handle: async ({ params }, { host }) => {
      const run = await findRun(host, params.id);
      const live = host.engine.live.get(run.id);
      if (!live && run.status === "RUNNING")
        throw new HttpError(
          409,
          "CONFLICT",
          "Another process executes this run; stop it there, for example with Ctrl-C.",
        );
      live?.cancel();
      return json({ id: run.id, cancelled: live !== undefined });
    },
  },
];

function readCursor(cursor: string | null): HistoryPlace | undefined {
  if (cursor === null || cursor === "") return undefined;
  const [, at, seq, id] = /^([0-9T:.Z-]{10,40})_(\d{1,15})_([\w-]{1,100})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new HttpError(400, "INVALID_PARAM", "Invalid cursor; start again without one.");
  return { at, seq: Number(seq), id };
}
