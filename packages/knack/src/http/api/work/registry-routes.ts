import { KnackError } from "@knack/core";
import { explainRun } from "@knack/engine";
import * as z from "zod";
import type { Host } from "../../../host/host.ts";
import { typedSkillReport } from "../../../host/report/typed-skill-report.ts";
import { namedFile } from "../../access/inside-project.ts";
import { HttpError } from "../../server/http-error.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import { readRunRequest } from "./run-request.ts";
import * as schema from "./schemas.ts";

const skillName: Parameter = {
  name: "name",
  in: "path",
  description: "The name of a typed skill.",
  schema: common.text,
  required: true,
};

/** Routes for the contract of one typed skill, for a form. */
export const registryRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/registry/{name}",
    summary: "One typed skill with the JSON Schema of its inputs and parameters, and whether it may run.",
    parameters: [skillName],
    answer: schema.entry,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const skill = await findTyped(host, params.name);
      const report = typedSkillReport(skill);
      return json({
        ...report,
        code: host.engine.isCode(skill.name),
        refused: await whyRefused(host, skill.name),
        request: requestSchema(report),
      });
    },
  },
  {
    method: "POST",
    path: "/api/registry/{name}/check",
    summary:
      "Checks the inputs and parameters of a run: every fault with its place, or whether it would return a cached result and why, as knack run --explain. Runs nothing.",
    parameters: [skillName],
    body: z.strictObject({
      inputs: common.runInputs.exactOptional(),
      params: common.anything.exactOptional(),
    }),
    answer: schema.checked,
    failures: [404],
    handle: async ({ params, body, caller }, { host }) => {
      const { name } = await findTyped(host, params.name);
      const request = readRunRequest(body);
      for (const { path } of request.inputs ?? []) namedFile(caller, host.live.catalog.projectRoot, path);
      const faults = await host.engine.faults(name, request);
      if (faults.length > 0) return json({ faults, explanation: null });
      const { engine } = host;
      const prepared = await engine.prepare(name, request);
      const root = host.live.catalog.projectRoot;
      return json({ faults, explanation: await explainRun(await engine.history(), prepared, root) });
    },
  },
];

/** In an untrusted project only the built-in skills are known. */
async function findTyped({ engine, live }: Host, name: string | undefined) {
  await live.refresh();
  const skill = engine.skills.find((one) => one.name === name);
  if (skill && (skill.declared === null || engine.isTrusted)) return skill;
  throw new HttpError(
    404,
    "NOT_FOUND",
    engine.whyLeftOut(name ?? "") ?? "There is no such typed skill; /api/registry lists them.",
  );
}

async function whyRefused({ engine }: Host, name: string): Promise<string | null> {
  try {
    await engine.checkTrust(name);
    return null;
  } catch (error) {
    if (error instanceof KnackError) return error.message;
    throw error;
  }
}

/** The body of a run of this skill as one JSON Schema. */
function requestSchema({ inputs, params }: ReturnType<typeof typedSkillReport>): object {
  const roles = inputs.map(({ role }) => role);
  return {
    type: "object",
    properties: {
      inputs: {
        type: "array",
        items: {
          type: "object",
          properties: {
            role: roles.length > 0 ? { type: "string", enum: roles } : { type: "string" },
            path: { type: "string" },
          },
          required: ["path"],
          additionalProperties: false,
        },
        minItems: inputs.filter(({ required }) => required).length,
      },
      params: { type: "object", ...params.schema },
    },
    required: inputs.some(({ required }) => required) ? ["inputs"] : [],
    additionalProperties: false,
  };
}
