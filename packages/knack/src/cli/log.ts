import { isRecord } from "@knack/core/text";
import { findEvents, type LoggedEvent } from "@knack/engine";
import { withProject } from "../host/open-project.ts";
import { notFound } from "../options.ts";
import { type CellColumn, showTable } from "../terminal/table.ts";
import { pluralize, shortTime } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

/** More than anybody reads; of an older conversation only what the newest records say is shown. */
const MAX_EVENTS = 20_000;

interface Row {
  readonly time: string;
  readonly event: string;
  readonly what: string;
}

interface Conversation {
  readonly conversation: string;
  readonly client: string;
  readonly began: string;
  readonly ended: string;
  readonly events: readonly LoggedEvent[];
}

const ROWS: readonly CellColumn<Row>[] = [
  { title: "TIME", cell: ({ time }) => shortTime(time) },
  { title: "EVENT", cell: ({ event }) => event },
  { title: "WHAT", flexible: true, cell: ({ what }) => what },
];
const CONVERSATIONS: readonly CellColumn<Conversation>[] = [
  { title: "CONVERSATION", cell: ({ conversation }) => conversation },
  { title: "CLIENT", cell: ({ client }) => client },
  { title: "BEGAN", drop: 2, cell: ({ began }) => shortTime(began) },
  { title: "LAST", drop: 1, cell: ({ ended }) => shortTime(ended) },
  { title: "EVENTS", cell: ({ events }) => String(events.length) },
];

/** One conversation of an agent: what was asked, what fitted, what was given, refused and run. By default the last one. */
export async function log(options: CommandOptions<"log">): Promise<void> {
  await withProject(options, async (project) => {
    const engine = await project.engine("cli", { keepsWarm: false });
    const known = conversationsIn(await findEvents(await engine.history(), { limit: MAX_EVENTS }));
    if (options.list) {
      const listed = known.map(({ events, ...rest }) => ({ ...rest, events: events.length }));
      const remark = pluralize(known.length, "conversation");
      showTable(options, () => ({ conversations: listed }), known, CONVERSATIONS, remark);
      return;
    }
    const { conversation: id } = options;
    const found = id === undefined ? known[0] : known.find(({ conversation }) => conversation.startsWith(id));
    if (!found && id !== undefined)
      throw notFound(`No conversation ${id} is in the log. See them: knack log --list`);
    const rows = (found?.events ?? []).flatMap(rowOf);
    const { conversation = "", client = "" } = found ?? {};
    const report = (): object => ({ conversation: found ? conversation : null, client, events: rows });
    const others = known.length > 1 ? ` Others: knack log --list` : "";
    const remark = found
      ? `Conversation ${conversation} with ${client}.${others}`
      : "No agent has used a skill in this project yet.";
    showTable(options, report, rows, ROWS, remark);
  });
}

function conversationsIn(newest: readonly LoggedEvent[]): Conversation[] {
  const byId = Map.groupBy(newest, ({ payload }) => textIn(payload, "conversation"));
  byId.delete("");
  return [...byId].map(([conversation, all]) => {
    const events = all.toReversed();
    const client = events.map(({ payload }) => textIn(payload, "client")).find((name) => name !== "") ?? "";
    const [began = "", ended = ""] = [events[0]?.created_at, events.at(-1)?.created_at];
    return { conversation, client, began, ended, events };
  });
}

function textIn(payload: unknown, key: string): string {
  const value = isRecord(payload) ? payload[key] : "";
  return typeof value === "string" ? value : "";
}

/** An event in a person's words. What was allowed without a question is no news. */
function rowOf({ event_type, payload, created_at }: LoggedEvent): Row[] {
  const said = isRecord(payload) ? payload : {};
  const text = (key: string): string => textIn(payload, key);
  const row = (event: string, what: string): Row[] => [
    { time: created_at, event, what: text("agent") === "" ? what : `${what} (subagent ${text("agent")})` },
  ];
  switch (event_type) {
    case "SKILL_SEARCHED": {
      if (typeof said.offered === "number") return row("listed", pluralize(said.offered, "skill"));
      const fits = Array.isArray(said.results) ? said.results.map(String) : [];
      const words = text("query") || "(words not kept; record: full keeps them)";
      const found = fits.length > 0 ? `fits: ${fits.join(", ")}` : "nothing fits";
      return [...row(text("hook") === "" ? "searched" : "request", words), ...row("fit", found)];
    }
    case "SKILL_LOADED":
      return row(said.already_loaded === true ? "reminded" : "loaded", text("name"));
    case "PERMISSION_DECIDED": {
      if (said.allowed === true) return [];
      return row(
        text("code") === "GATED" ? "gated" : "refused",
        [text("tool"), text("skill"), text("reason")].filter(Boolean).join(": "),
      );
    }
    case "DISPATCHED":
      return row("dispatched", [text("skill"), text("role"), text("status")].filter(Boolean).join(", "));
    case "SKILL_RUN":
      return row("ran", [text("skill"), text("status")].filter(Boolean).join(", "));
    case "TOOL_CALLED":
      return row("used", text("tool"));
    case "TURN_ENDED":
      return row("answered", "");
    default:
      return row(event_type.toLowerCase().replaceAll("_", " "), text("name"));
  }
}
