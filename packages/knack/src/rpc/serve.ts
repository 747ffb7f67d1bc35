import { resolve } from "node:path";
import { type Session, SkillError } from "@knack/core";
import { endTelemetry } from "@knack/core/telemetry";
import { quote } from "@knack/core/text";
import { type Engine, runReport } from "@knack/engine";
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
export function sessionMethods(
  session: Session,
  sessionAt: (cwd: string) => Promise<Session>,
  engine: Engine,
): Methods {
  return new Map<string, Method>([
    [
      "skills.list",
      async (params) => {
        check(params, { cwd: "string", force_reload: "boolean" });
        const asked = params.cwd === undefined ? session : await sessionAt(String(params.cwd));
        if (params.force_reload) await asked.reload();
        const { skills, errors } = asked.catalog;
        return { skills, errors };
      },
    ],
    [
      "context.inspect",
      async (params) => {
        check(params, { include_skills: "boolean" });
        return session.inspect({ includeSkills: params.include_skills === true });
      },
    ],
    ["skills.search", (params) => session.call("skill_search", params)],
    ["skills.load", (params) => session.call("skill_load", params)],
    [
      "commands.execute",
      async (params) => {
        check(params, { input: "string" });
        if (params.input === undefined) throw wrong('"input" is missing.');
        return session.execute(String(params.input));
      },
    ],
    [
      "runs.list",
      async (params) => {
        check(params, { skill: "string", status: "string", limit: "number" });
        const { skill, status, limit = 50 } = params as { skill?: string; status?: string; limit?: number };
        if (!Number.isInteger(limit) || limit < 1)
          throw wrong('"limit" must be a whole number of at least 1.');
        if (status !== undefined && !isStatus(status))
          throw wrong('"status" must be RUNNING, SUCCEEDED or FAILED.');
        const runs = await engine.runs({
          limit,
          ...(skill ? { skill } : {}),
          ...(status ? { status } : {}),
        });
        return { runs: runs.map((run) => runReport(run)), count: runs.length };
      },
    ],
    [
      "session.save",
      async (params) => {
        check(params, {});
        return { state: session.save() };
      },
    ],
    [
      "session.restore",
      async (params) => {
        check(params, { state: "object" });
        session.restore(params.state);
        return { loaded: session.inspect({ includeSkills: true }).skills?.loaded ?? [] };
      },
    ],
  ]);
}

function isStatus(text: string): text is "RUNNING" | "SUCCEEDED" | "FAILED" {
  return text === "RUNNING" || text === "SUCCEEDED" || text === "FAILED";
}

/** Exactly these parameters, of these types, each optional. */
function check(params: Readonly<Record<string, unknown>>, known: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(params)) {
    const type = Object.hasOwn(known, key) ? known[key] : undefined;
    if (type === undefined) {
      const names = Object.keys(known).join(", ") || "none";
      throw wrong(`Unknown parameter ${quote(key)}; known: ${names}.`);
    }
    if (typeof value !== type) throw wrong(`"${key}" must be of type ${type}.`);
  }
}

function wrong(message: string): SkillError {
  return new SkillError("INVALID_PARAM", message);
}
