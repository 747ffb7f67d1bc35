import { Writable } from "node:stream";
import { endTelemetry } from "@knack/core/telemetry";
import type { CommandOptions } from "../cli/table/table.ts";
import { endedBySignal } from "../host/signals.ts";
import { isTerminal, note } from "../terminal/output.ts";
import { Start } from "./start.ts";

/** MCP on standard input and output: one process is one conversation, and it ends with its input. */
export async function mcp(options: CommandOptions<"mcp">): Promise<void> {
  const signalled = endedBySignal();
  const output = reserveStdout();
  if (isTerminal(0))
    note('note: This is an MCP server, which a client starts. "knack setup claude" sets one up.');
  const start = new Start(options, output);
  const code = await Promise.race([signalled, start.begun]);
  if (code === undefined) {
    const { converse } = await import("./converse.ts");
    try {
      await converse(options, start, signalled);
    } catch (error) {
      // Open standard input would keep this process alive, and its client waiting for an answer.
      process.stdin.destroy();
      throw error;
    }
    return;
  }
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
