import { type Session, SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { type Engine, runReport } from "@knack/engine";
import type { Method, Methods } from "./protocol.ts";

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
