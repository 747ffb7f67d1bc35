import { Writable } from "node:stream";
import { endTelemetry } from "@knack/core/telemetry";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openHost } from "../host/host.ts";
import { MAX_LINE_BYTES } from "../host/lines.ts";
import { endedBySignal } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { isTerminal, note } from "../terminal/output.ts";
import { Connection, McpHub } from "./connection.ts";
import { LineTransport } from "./line-transport.ts";
import { remotePage } from "./presence.ts";
import { makeServer } from "./server.ts";
import { readChoice } from "./tools.ts";

/** MCP on standard input and output: one process is one conversation, and it ends with its input. */
export async function mcp(options: GlobalOptions & { readonly tools?: string }): Promise<void> {
  const signalled = endedBySignal();
  const transport = new LineTransport(process.stdin, reserveStdout());
  if (isTerminal(0))
    note('note: This is an MCP server, which a client starts. "knack setup claude" sets one up.');
  const host = await openHost(options, "mcp", { isServer: true });
  const hub = new McpHub(host);
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
  const connection = serveStdio(
    () => {
      const opened = new Connection(hub, { caller: "stdio", way: "stdio" });
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
  await endTelemetry();
  process.exit(code);
}

/**
 * Standard output for the protocol alone: whatever else in this process prints there is shown on standard error instead. One
 * stray line would end the conversation of a strict client.
 */
function reserveStdout(): Writable {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = process.stderr.write.bind(process.stderr) as typeof stdout.write;
  for (const method of ["log", "info", "debug", "dir", "table"] as const)
    console[method] = console.error.bind(console);
  const output = new Writable({
    decodeStrings: false,
    // Done when it is out of this process, not when there is room for more: the process ends after its last answer.
    write: (chunk: string, _encoding, done) => void write(chunk, done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
