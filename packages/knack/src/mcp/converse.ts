import { endTelemetry } from "@knack/core/telemetry";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { CommandOptions } from "../cli/table/table.ts";
import { openHost } from "../host/host.ts";
import { MAX_LINE_BYTES } from "../host/lines.ts";
import { note } from "../terminal/output.ts";
import { AnswerKeeper } from "./answer-keeper.ts";
import { Connection, McpHub } from "./connection.ts";
import { LineTransport } from "./line-transport.ts";
import { remotePage } from "./presence.ts";
import { makeServer } from "./server.ts";
import type { Start } from "./start.ts";
import { readChoice } from "./tools.ts";

/** The server itself, from the first message on, whatever was answered before it was there. */
export async function converse(
  options: CommandOptions<"mcp">,
  start: Start,
  signalled: Promise<number>,
): Promise<void> {
  const host = await openHost(options, "mcp", { isServer: true });
  const keeper = new AnswerKeeper(start);
  const hub = new McpHub(host, () => keeper.plan());
  try {
    if (options.tools !== undefined) hub.tools = readChoice(options.tools, host.runtime.session());
  } catch (error) {
    hub.close();
    await host.close();
    throw error;
  }
  const page = remotePage(host.project.place, hub.clients);
  hub.questions = page.questions;
  process.once("exit", () => page.close());
  const closed = Promise.withResolvers<number>();
  const transport = new LineTransport(start.handOver(), start.output, keeper);
  const connection = serveStdio(
    () => {
      const opened = new Connection(hub, { caller: "stdio", way: "stdio" });
      keeper.connection = opened;
      const server = makeServer(opened);
      server.server.onclose = hub.keep(opened);
      return server;
    },
    { transport },
  );
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    closed.resolve(transport.isBroken ? 1 : 0);
  };
  const code = await Promise.race([signalled, closed.promise]);
  if (transport.isBroken) note(`error: A line of input had more than ${MAX_LINE_BYTES} bytes.`);
  await keeper.close();
  await connection.close();
  hub.close();
  await host.close();
  await endTelemetry();
  process.exit(code);
}
