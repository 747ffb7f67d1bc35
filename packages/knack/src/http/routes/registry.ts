import { KnackError } from "@knack/core";
import { typedNameOf } from "@knack/core/catalog";
import { entryWords, explainRun, isFileInput, type TypedSkill } from "@knack/engine";
import * as z from "zod";
import type { Host } from "../../host/host.ts";
import { notFound } from "../../options.ts";
import { namedFile } from "../access/inside-project.ts";
import { route } from "../api/route.ts";
import { anything, count, run, runInputs, text, yes } from "../api/schemas.ts";
import { json } from "../error-response.ts";

const typedSkill = z.strictObject({
  name: text,
  description: text,
  implementation: text,
  inputs: z.array(anything),
  outputs: anything,
  params: anything,
  idempotency: anything,
  tags: z.array(text).exactOptional(),
});

export const registryRoutes = [
  route("GET /api/registry", "reader", {
    summary: "The typed skills and their contracts; in an untrusted project only the built-in ones.",
    answer: z.strictObject({ skills: z.array(typedSkill), count }),
    handle: async (_asked, { host }) => {
      await host.live.refresh();
      const skills = knownSkills(host).map(entryWords);
      return { skills, count: skills.length };
    },
  }),
  route("GET /api/registry/{name}", "reader", {
    summary: "One typed skill with the JSON Schema of its inputs and parameters, and whether it may run.",
    answer: typedSkill.extend({
      code: yes,
      refused: text.nullable(),
      /** The JSON Schema of the body of a run: inputs and params. */
      request: anything,
    }),
    handle: async ({ params }, { host }) => {
      const report = entryWords(await findTyped(host, params.name));
      return {
        ...report,
        code: host.engine.isCode(report.name),
        refused: await whyRefused(host, report.name),
        request: requestSchema(report),
      };
    },
  }),
  route("POST /api/registry/{name}/check", "runner", {
    summary:
      "Checks the inputs and parameters of a run: every fault with its place, or whether it would return a cached result and why, as knack run --explain. Runs nothing.",
    body: z.strictObject({ inputs: runInputs.default([]), params: anything.default({}) }),
    answer: z.strictObject({
      faults: z.array(z.strictObject({ at: z.array(text), message: text })),
      explanation: z
        .strictObject({
          skill: text,
          key: text,
          parts: z.strictObject({
            version: text,
            implementation: text,
            implementation_digest: text,
            inputs: z.array(z.strictObject({ role: text, sha256: text, path: text })),
            params: z.unknown(),
            env: z.array(text),
            strategy: text,
          }),
          hit: yes,
          reasons: z.array(text),
        })
        .nullable(),
    }),
    handle: async ({ params, body, caller }, { host }) => {
      const { engine, live } = host;
      const { name } = await findTyped(host, params.name);
      const root = live.catalog.projectRoot;
      for (const { path } of body.inputs) namedFile(caller, root, path);
      const faults = await engine.faults(name, body);
      if (faults.length > 0) return { faults, explanation: null };
      const prepared = await engine.prepare(name, body);
      return { faults, explanation: await explainRun(await engine.history(), prepared, root) };
    },
  }),
  route("POST /api/run", "runner", {
    summary:
      "Runs a typed skill, or returns the cached result of an earlier run with the same inputs. A failed run is an answer too, with its error. With Prefer: respond-async the answer is the run as soon as it has started.",
    headers: { Prefer: "respond-async: answer when the run has started, with status RUNNING." },
    body: z.strictObject({
      skill: z.string('"skill" must be the name of a typed skill'),
      inputs: runInputs.exactOptional(),
      params: anything.exactOptional(),
      task: text.exactOptional(),
      /** Inputs of kind CONFIRMATION that the caller, who must be an approver, confirms for these inputs and parameters. */
      confirm: z.array(text).exactOptional(),
    }),
    answer: run,
    failures: [404, 409],
    handle: async ({ body: { skill, confirm = [], ...request }, header }, { runs, host }) => {
      await host.live.refresh();
      const name = typedNameOf(
        host.engine.skills.map((one) => one.name),
        skill,
      );
      if (name === undefined) throw unknownSkill(host, skill);
      const isAsync = /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(header("prefer") ?? "");
      if (isAsync)
        return json(await runs.start(name, request, confirm), 200, { "Preference-Applied": "respond-async" });
      return json(await runs.run(name, request, confirm));
    },
  }),
];

/** In an untrusted project only the built-in skills are known. */
export function knownSkills({ engine }: Host): readonly TypedSkill[] {
  return engine.skills.filter(({ declared }) => declared === null || engine.isTrusted);
}

async function findTyped(host: Host, name: string): Promise<TypedSkill> {
  await host.live.refresh();
  const skill = knownSkills(host).find((one) => one.name === name);
  if (skill) return skill;
  throw unknownSkill(host, name);
}

function unknownSkill({ engine }: Host, name: string): KnackError {
  const message = engine.whyLeftOut(name) ?? "There is no such typed skill; /api/registry lists them.";
  return notFound(message);
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

function requestSchema({ inputs, params }: ReturnType<typeof entryWords>): object {
  const files = inputs.filter(isFileInput);
  const roles = files.map(({ role }) => role);
  const required = files.filter((one) => one.required).length;
  const input = {
    type: "object",
    properties: {
      role: roles.length > 0 ? { type: "string", enum: roles } : { type: "string" },
      path: { type: "string" },
    },
    required: ["path"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: {
      inputs: { type: "array", items: input, minItems: required },
      params: { type: "object", ...params.schema },
    },
    required: required > 0 ? ["inputs"] : [],
    additionalProperties: false,
  };
}
