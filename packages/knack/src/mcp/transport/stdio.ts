import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { endedBySignal } from "../../host/ended-by-signal.ts";
import { openHost } from "../../host/host.ts";
import { MAX_LINE_BYTES } from "../../host/lines.ts";
import type { GlobalOptions } from "../../options.ts";
import { isTerminal, note } from "../../terminal/output.ts";
import { Connection } from "../server/connection.ts";
import { makeServer } from "../server/make-server.ts";
import { McpHub } from "../server/mcp-hub.ts";
import { LineTransport } from "./line-transport.ts";
import { ownOutput } from "./reserve-stdout.ts";

/** MCP on standard input and output: one process is one conversation, and it ends with its input. */
export async function mcp(options: GlobalOptions): Promise<void> {
  const signalled = endedBySignal();
  const transport = new LineTransport(process.stdin, ownOutput());
  if (isTerminal(0))
    note(
      'note: This is an MCP server, which a client starts. "knack mcp --print-config claude" shows how to set one up.',
    );
  const host = await openHost(options, "mcp");
  const hub = new McpHub(host);
  const closed = Promise.withResolvers<number>();
  const connection = serveStdio(
    () => {
      const opened = new Connection(hub, { caller: "stdio" });
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
  await connection.close();
  hub.close();
  await host.close();
  process.exit(code);
}
