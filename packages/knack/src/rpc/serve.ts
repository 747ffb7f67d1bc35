import { resolve } from "node:path";
import type { Session } from "@knack/core";
import { parameters } from "@knack/core/schemas";
import { endTelemetry } from "@knack/core/telemetry";
import { type Engine, runReport } from "@knack/engine";
import * as z from "zod";
import { openHost } from "../host/host.ts";
import { readLines } from "../host/lines.ts";
import { openProject, type Project } from "../host/open-project.ts";
import { endedBySignal } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { answerLine, type Method, type Methods } from "./protocol.ts";

/** Other working directories that are kept open, each with a catalog in memory. */
const MAX_ELSEWHERE = 8;
const CHANGED = JSON.stringify({ jsonrpc: "2.0", method: "skills.changed", params: {} });

/** JSON-RPC on standard input and output, one message a line, one conversation a process. Ends with its input. */
export async function rpc(options: GlobalOptions): Promise<void> {
  const signalled = endedBySignal();
  const host = await openHost(options, "rpc", { isServer: true });
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
  host.live.follow(() => void send(CHANGED));
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

/** The methods of one conversation. `sessionAt` opens another working directory, for lists alone. */
function sessionMethods(
  session: Session,
  sessionAt: (cwd: string) => Promise<Session>,
  engine: Engine,
): Methods {
  return new Map([
    method("skills.list", { cwd: text, force_reload: yes }, async ({ cwd, force_reload }) => {
      const asked = cwd === undefined ? session : await sessionAt(cwd);
      if (force_reload) await asked.reload();
      const { skills, errors } = asked.catalog;
      return { skills, errors };
    }),
    method("context.inspect", { include_skills: yes }, ({ include_skills: includeSkills = false }) =>
      session.inspect({ includeSkills }),
    ),
    ["skills.search", (params) => session.call("skill_search", params)],
    ["skills.load", (params) => session.call("skill_load", params)],
    method("commands.execute", { input: z.string() }, ({ input }) => session.execute(input)),
    method("runs.list", { skill: text, status, limit }, async ({ skill, ...wanted }) => {
      const runs = await engine.runs({ skill: skill || undefined, ...wanted });
      return { runs: runs.map((run) => runReport(run)), count: runs.length };
    }),
    method("session.save", {}, () => ({ state: session.save() })),
    method("session.restore", { state: z.unknown() }, ({ state }) => {
      session.restore(state);
      return { loaded: session.inspect({ includeSkills: true }).skills?.loaded ?? [] };
    }),
  ]);
}

const text = z.string().optional();
const yes = z.boolean().optional();
const status = z.enum(["RUNNING", "SUCCEEDED", "FAILED"]).optional();
const limit = z.int().min(1).default(50);

function method<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  run: (params: z.output<z.ZodObject<Shape>>) => unknown,
): [string, Method] {
  const { read } = parameters(shape);
  return [name, async (params) => run(read(name, params))];
}
