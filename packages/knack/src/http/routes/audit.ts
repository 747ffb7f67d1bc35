import { countEvents, eventFacets, exportLog, findEvents } from "@knack/engine";
import * as z from "zod";
import { pluralize } from "../../terminal/visible.ts";
import { route } from "../api/route.ts";
import { count, filter, limit, text, yes } from "../api/schemas.ts";
import { streamed } from "../error-response.ts";

const time = (description: string) =>
  z
    .string()
    .refine((given) => given === "" || !Number.isNaN(new Date(given).getTime()), {
      error: "must be a time such as 2026-01-31T12:00:00Z",
      abort: true,
    })
    .overwrite((given) => (given === "" ? given : new Date(given).toISOString()))
    .optional()
    .describe(description);

const event = z.strictObject({
  seq: count,
  event_type: text,
  plan_id: text.nullable(),
  task_id: text.nullable(),
  run_id: text.nullable(),
  actor: text,
  payload: z.unknown(),
  created_at: text,
  hash: text,
});

export const auditRoutes = [
  route("GET /api/audit", "reader", {
    summary: "The records of the log, newest first.",
    query: {
      type: filter("Only records of this type, such as SKILL_RUN."),
      skill: filter("Only records about this skill."),
      actor: filter("Only records by this actor: cli, serve, an MCP client."),
      run: filter("Only records of this run."),
      plan: filter("Only records of this plan."),
      since: time("Only records of this time or later (ISO 8601)."),
      until: time("Only records of this time or earlier (ISO 8601)."),
      limit: limit(100, 1_000, "records"),
      cursor: count.optional().describe("next_cursor of the page before."),
    },
    answer: z.strictObject({
      events: z.array(event),
      count,
      /** All records that match, on this page or not. */
      total: count,
      next_cursor: text.nullable(),
    }),
    handle: async ({ query: { limit, cursor, ...filters } }, { host }) => {
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
      const wanted = { ...given, before: cursor, limit: limit + 1 };
      const db = await host.history();
      const found = await findEvents(db, wanted);
      const events = found.slice(0, limit);
      const last = found.length > limit ? events.at(-1) : undefined;
      return {
        events,
        count: events.length,
        total: await countEvents(db, wanted),
        next_cursor: last ? String(last.seq) : null,
      };
    },
  }),
  route("GET /api/audit/filters", "reader", {
    summary: "The types and the actors that the log has.",
    answer: z.strictObject({ types: z.array(text), actors: z.array(text) }),
    handle: async (_asked, { host }) => eventFacets(await host.history()),
  }),
  route("GET /api/audit/verify", "reader", {
    summary:
      "Checks the chain of the log, and runs, artifacts, evidence and tasks against it, as knack audit verify. A log that does not hold is an answer, not an error.",
    query: { head: filter("A head from an earlier export, which must still be in the chain.") },
    answer: z.strictObject({
      ok: yes,
      count,
      head: text.exactOptional(),
      /** Rows of runs, artifacts, evidence and tasks that match the log. */
      rows: count.exactOptional(),
      running: count.exactOptional(),
      /** The first record or row that does not hold. */
      seq: count.nullable().exactOptional(),
      fault: text.exactOptional(),
      message: text,
    }),
    handle: async ({ query }, { host: { engine } }) => {
      const verdict = await engine.verify(query.head || undefined);
      if (!verdict.ok) {
        const { ok, count, seq, fault, message } = verdict;
        return { ok, count, seq, fault, message };
      }
      const { ok, count, head, rows, running } = verdict;
      return { ok, count, head, rows, running, message: `${pluralize(count, "valid record")}.` };
    },
  }),
  route("GET /api/audit/export", "reader", {
    summary: "The whole log, one record a line and last its head, as knack audit export prints it.",
    type: "application/x-ndjson",
    handle: async (_asked, { host }) =>
      streamed(withEnds(exportLog(await host.history())), {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": 'attachment; filename="knack-audit.jsonl"',
      }),
  }),
];

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
