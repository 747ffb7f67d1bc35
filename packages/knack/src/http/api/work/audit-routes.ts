import { countEvents, eventFacets, exportLog, findEvents } from "@knack/engine";
import { HttpError } from "../../server/http-error.ts";
import { readLimit, readWhole } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import * as schema from "./schemas.ts";

const filter = (name: string, description: string): Parameter => ({
  name,
  in: "query",
  description,
  schema: common.text,
});

/** Routes for the event log. */
export const auditRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/audit",
    summary: "The records of the log, newest first.",
    parameters: [
      filter("type", "Only records of this type, such as SKILL_RUN."),
      filter("skill", "Only records about this skill."),
      filter("actor", "Only records by this actor: cli, serve, an MCP client."),
      filter("run", "Only records of this run."),
      filter("plan", "Only records of this plan."),
      filter("since", "Only records of this time or later (ISO 8601)."),
      filter("until", "Only records of this time or earlier (ISO 8601)."),
      {
        name: "limit",
        in: "query",
        description: "Maximum number of records: 100 by default, at most 1000.",
        schema: common.atLeastOne,
      },
      filter("cursor", "next_cursor of the page before."),
    ],
    answer: schema.events,
    handle: async ({ query }, { host: { engine } }) => {
      const limit = readLimit(query, 100, 1_000);
      const text = (name: string): string | undefined => query.get(name) || undefined;
      const wanted = {
        type: text("type"),
        skill: text("skill"),
        actor: text("actor"),
        run: text("run"),
        plan: text("plan"),
        since: readTime(query, "since"),
        until: readTime(query, "until"),
        before: readWhole(query, "cursor"),
        limit: limit + 1,
      };
      const db = await engine.history();
      const found = await findEvents(db, wanted);
      const events = found.slice(0, limit);
      const last = found.length > limit ? events.at(-1) : undefined;
      return json({
        events,
        count: events.length,
        total: await countEvents(db, wanted),
        next_cursor: last ? String(last.seq) : null,
      });
    },
  },
  {
    method: "GET",
    path: "/api/audit/filters",
    summary: "The types and the actors that the log has.",
    answer: schema.facets,
    handle: async (_asked, { host: { engine } }) => json(await eventFacets(await engine.history())),
  },
  {
    method: "GET",
    path: "/api/audit/verify",
    summary:
      "Checks the chain of the log, and runs, artifacts, evidence and tasks against it, as knack audit verify. A log that does not hold is an answer, not an error.",
    parameters: [filter("head", "A head from an earlier export, which must still be in the chain.")],
    answer: schema.verification,
    handle: async ({ query }, { host: { engine } }) => {
      const verdict = await engine.verify(query.get("head") || undefined);
      if (!verdict.ok) {
        const { ok, count, seq, fault, message } = verdict;
        return json({ ok, count, seq, fault, message });
      }
      const { ok, count, head, rows, unchecked, running } = verdict;
      const message = `${count} records are valid.`;
      return json({ ok, count, head, rows, unchecked, running, message });
    },
  },
  {
    method: "GET",
    path: "/api/audit/export",
    summary: "The whole log, one record a line and last its head, as knack audit export prints it.",
    type: "application/x-ndjson",
    handle: async (_asked, { host: { engine } }) => {
      const lines = exportLog(await engine.history());
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        pull: async (stream) => {
          const { done, value } = await lines.next();
          if (done) stream.close();
          else stream.enqueue(encoder.encode(`${value}\n`));
        },
        cancel: () => void lines.return(undefined),
      });
      return new Response(body, {
        headers: {
          "Content-Type": "application/x-ndjson; charset=utf-8",
          "Content-Disposition": 'attachment; filename="knack-audit.jsonl"',
        },
      });
    },
  },
];

/** A time as the log has it. */
function readTime(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new HttpError(400, "INVALID_PARAM", `"${name}" must be a time such as 2026-01-31T12:00:00Z.`);
}
