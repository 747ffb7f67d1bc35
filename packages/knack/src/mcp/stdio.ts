import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { endedBySignal } from "../cli/ended-by-signal.ts";
import { openHost } from "../cli/open-host.ts";
import type { GlobalOptions } from "../cli/options.ts";
import { isTerminal, note } from "../cli/output.ts";
import { Connection } from "./connection.ts";
import { LineTransport, MAX_LINE_BYTES } from "./line-transport.ts";
import { makeServer } from "./make-server.ts";
import { McpHost } from "./mcp-host.ts";
import { ownOutput } from "./own-output.ts";

/** MCP on standard input and output: one process is one conversation, and it ends with its input. */
export async function mcp(options: GlobalOptions): Promise<void> {
  const signalled = endedBySignal();
  const transport = new LineTransport(process.stdin, ownOutput());
  if (isTerminal(0))
    note(
      'note: A client starts this and speaks MCP to it. "knack mcp --print-config claude" says how to set one up.',
    );
  const host = await openHost(options, "mcp");
  const shared = new McpHost(host);
  const closed = Promise.withResolvers<number>();
  const connection = serveStdio(
    () => {
      const opened = new Connection(shared, { isOwner: true });
      const server = makeServer(opened);
      server.server.onclose = shared.keep(opened);
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
  shared.close();
  await host.close();
  process.exit(code);
}
