import { resolve } from "node:path";
import type { Session } from "@knack/core";
import { endTelemetry } from "@knack/core/internal";
import { endedBySignal } from "../host/ended-by-signal.ts";
import { openHost } from "../host/host.ts";
import { readLines } from "../host/lines.ts";
import { openProject, type Project } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { sessionMethods } from "./methods.ts";
import { answerLine } from "./protocol.ts";

/** Other working directories that are kept open, each with a catalog in memory. */
const MAX_ELSEWHERE = 8;
const CHANGED = JSON.stringify({ jsonrpc: "2.0", method: "skills.changed", params: {} });

/** JSON-RPC on standard input and output, one message a line, one conversation a process. Ends with its input. */
export async function rpc(options: GlobalOptions): Promise<void> {
  const signalled = endedBySignal();
  const host = await openHost(options, "rpc");
  const end = async (code: number): Promise<never> => {
    await host.close();
    await endTelemetry();
    process.exit(code);
  };
  void signalled.then(end);
  // Whoever reads the answers may be gone: there is nobody to tell.
  process.stdout.on("error", () => void end(0));

  const { runtime, engine } = host;
  const elsewhere = new Map<string, { readonly project: Project; readonly session: Session }>();
  const sessionAt = async (cwd: string): Promise<Session> => {
    const folder = resolve(options.cwd ?? ".", cwd);
    const known = elsewhere.get(folder) ?? (await openAt({ ...options, cwd: folder }));
    // The last asked for is the last to go.
    elsewhere.delete(folder);
    elsewhere.set(folder, known);
    const [oldest] = elsewhere.keys();
    if (elsewhere.size > MAX_ELSEWHERE && oldest !== undefined) {
      await elsewhere.get(oldest)?.project.close();
      elsewhere.delete(oldest);
    }
    return known.session;
  };
  const methods = sessionMethods(runtime.session(), sessionAt, engine);
  host.follow(() => void send(CHANGED));
  try {
    for await (const line of readLines(process.stdin)) {
      const answer = await answerLine(line, methods);
      if (answer !== undefined) await send(answer);
    }
  } finally {
    // Whatever ends the conversation ends the watch too, which would keep the process.
    await host.close();
    for (const { project } of elsewhere.values()) await project.close();
  }
}

async function openAt(options: GlobalOptions): Promise<{ project: Project; session: Session }> {
  const project = openProject(options);
  return { project, session: (await project.runtime()).session() };
}

/** Waits where the reader is slow, so that answers never pile up in memory. */
function send(message: string): Promise<void> {
  return new Promise((done) => {
    if (process.stdout.write(`${message}\n`)) done();
    else process.stdout.once("drain", done);
  });
}
