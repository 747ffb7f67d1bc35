import { openCatalog, SkillError } from "@knack/core";
import { quote, typedNameOf } from "@knack/core/internal";
import * as z from "zod";
import { changeSkillPolicy, policyReport } from "../../host/change-policy.ts";
import { placeOf } from "../../host/place.ts";
import { waiting } from "../find-entry.ts";
import { HttpError } from "../server/http-error.ts";
import { policyBody, readPolicyRequest } from "./policy-request.ts";
import { json, type Route } from "./route.ts";
import * as schema from "./schemas.ts";

/** Routes that change something. */
export const changeRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/policy",
    isRecorded: true,
    summary: "Allows, denies, enables or disables a skill, like the commands with these names.",
    body: policyBody,
    answer: schema.policyAnswer,
    failures: [404, 409],
    handle: async ({ body }, { host: { live } }) => {
      const { action, skill, project } = readPolicyRequest(body);
      const { cwd, projectRoot } = live.catalog;
      const place = placeOf(projectRoot);
      const { home, env, trusted } = place;
      // Ignore `skills.enabled: false` here, so that rules can be changed while all skills are switched off.
      const open = { cwd, home, env, trusted, withoutProject: !trusted, enabled: true };
      const skills = await openCatalog(open);
      const outcome = await changeSkillPolicy(action, skill, skills, place, project).catch(
        (error: unknown) => {
          if (!(error instanceof SkillError) || error.code !== "NOT_FOUND") throw error;
          throw new SkillError("NOT_FOUND", `${error.message}${waiting(skills)}`);
        },
      );
      if (outcome.changed) await live.reload();
      return json({
        ...policyReport(action, outcome),
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
      "Runs a typed skill, or returns the cached result of an earlier run with the same inputs. A failed run is an answer too, with its error. With Prefer: respond-async the answer is the run as soon as it has started.",
    parameters: [
      {
        name: "Idempotency-Key",
        in: "header",
        description: "Requests with the same key and body run once; the same key with another body is 409.",
        schema: schema.text,
      },
      {
        name: "Prefer",
        in: "header",
        description: "respond-async: answer when the run has started, with status RUNNING.",
        schema: schema.text,
      },
    ],
    body: z.strictObject({
      skill: schema.text,
      inputs: schema.runInputs.exactOptional(),
      params: schema.anything.exactOptional(),
      task: schema.text.exactOptional(),
    }),
    answer: schema.run,
    failures: [403, 404, 409],
    handle: async ({ body, bytes, header }, { runs, host: { engine, live } }) => {
      await live.refresh();
      const { skill, ...request } = only(body, ["skill", "inputs", "params", "task"]);
      if (typeof skill !== "string") throw wrong('"skill" must be the name of a typed skill');
      const known = engine.skills.map(({ name }) => name);
      if (typedNameOf(known, skill) === undefined)
        throw new HttpError(
          404,
          "NOT_FOUND",
          engine.whyLeftOut(skill) ?? "There is no such typed skill; /api/registry lists them.",
        );
      const isAsync = /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(header("prefer") ?? "");
      const { status, body: answer } = await runs.answer(
        header("idempotency-key"),
        bytes,
        typedNameOf(known, skill) ?? skill,
        request,
        isAsync,
      );
      return json(answer, status, isAsync ? { "Preference-Applied": "respond-async" } : {});
    },
  },
];

function only(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw wrong(`unknown property ${quote(unknown)}; known properties: ${known.join(", ")}`);
  return body;
}

function wrong(what: string): HttpError {
  return new HttpError(400, "INVALID_PARAM", `${what}.`);
}
