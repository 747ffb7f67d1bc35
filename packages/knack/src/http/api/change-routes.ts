import { isTrusted, openCatalog } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { changeSkillPolicy, type PolicyAction, policyReport } from "../../cli/change-policy.ts";
import { HttpError } from "../http-error.ts";
import { json, type Route } from "./route.ts";
import * as schema from "./schemas.ts";

const ACTIONS: readonly PolicyAction[] = ["allow", "deny", "enable", "disable"];

/** What changes something: each needs the token. */
export const changeRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/policy",
    summary: "Allows, denies, enables or disables a skill, as the commands of these names do.",
    body: schema.shape({ action: { enum: ACTIONS }, skill: schema.text, "project?": { type: "boolean" } }),
    answer: schema.policyAnswer,
    failures: [404, 409],
    handle: async ({ body }, { catalog }) => {
      const { action, skill, project = false } = only(body, ["action", "skill", "project"]);
      const wanted = ACTIONS.find((one) => one === action);
      if (wanted === undefined) throw wrong(`"action" must be ${ACTIONS.join(", ")}`);
      if (typeof skill !== "string" || skill === "") throw wrong('"skill" must be an id, a name or a path');
      if (typeof project !== "boolean") throw wrong('"project" must be true or false');
      const { cwd, projectRoot } = catalog.last;
      const env = process.env;
      const home = homeFolder(env);
      const trusted = isTrusted(projectRoot, { env, home });
      // Switched on for this look: what is switched off as a whole can be spoken of too.
      const open = { cwd, home, env, trusted, withoutProject: !trusted, enabled: true };
      const skills = await openCatalog(open);
      const byId = skills.entries.find((entry) => entry.skill.id === skill);
      const place = { projectRoot, home, env, trusted };
      const outcome = await changeSkillPolicy(wanted, byId?.skill.dir ?? skill, skills, place, project);
      if (outcome.changed) await catalog.reload();
      return json({
        ...policyReport(wanted, outcome),
        effective: outcome.isSo,
        obstacles: outcome.obstacles,
        remarks: outcome.remarks,
      });
    },
  },
  {
    method: "POST",
    path: "/api/run",
    summary:
      "Runs a typed skill, or serves what an earlier run of the same inputs made. A run that failed is an answer too, with its error.",
    parameters: [
      {
        name: "Idempotency-Key",
        in: "header",
        description: "Requests with the same key and body are one request; the key with another body is 409.",
        schema: schema.text,
      },
    ],
    body: schema.shape({
      skill: schema.text,
      "inputs?": schema.list(schema.shape({ "role?": schema.text, path: schema.text })),
      "params?": { type: "object" },
      "task?": schema.text,
    }),
    answer: schema.run,
    failures: [403, 404, 409, 503],
    handle: async ({ body, bytes, header }, { runs, host: { engine } }) => {
      const { skill, ...request } = only(body, ["skill", "inputs", "params", "task"]);
      if (typeof skill !== "string") throw wrong('"skill" must be the name of a typed skill');
      if (!engine.skills.some(({ name }) => name === skill))
        throw new HttpError(404, "NOT_FOUND", "There is no such typed skill; /api/registry lists them.");
      const { status, body: answer } = await runs.answer(header("idempotency-key"), bytes, skill, request);
      return json(answer, status);
    },
  },
];

function only(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw wrong(`unknown property ${JSON.stringify(unknown.slice(0, 100))}; known are ${known.join(", ")}`);
  return body;
}

function wrong(what: string): HttpError {
  return new HttpError(400, "INVALID_PARAM", `${what}.`);
}
