import { type Envelope, ToolError } from "@knack/core";
import { unverifiedError } from "@knack/core/internal";
import { reportSkill } from "../../host/report/skill-report.ts";
import { findEntry } from "../find-entry.ts";
import { type Api, json, type Parameter, type Route } from "./route.ts";
import * as schema from "./schemas.ts";

const id: Parameter = {
  name: "id",
  in: "path",
  description: "The id of a skill, or its name or scope:name if only one skill has it.",
  schema: schema.text,
  required: true,
};

/** Routes about one skill. Reading a skill is not logged. */
export const skillRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/skills/{id}",
    summary:
      "One skill with its files, edges and diagnostics, as knack show --json prints it; loads nothing.",
    parameters: [id],
    answer: schema.skillReport,
    failures: [403, 404, 409],
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      const entry = findEntry(current, params.id ?? "");
      if (entry.status === "unverified") throw unverifiedError(entry.skill, entry.reason);
      return json((await reportSkill(current, entry)).report);
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/load",
    summary:
      "The text of the skill as a model gets it, in the envelope of skill_load; a deny applies here too.",
    parameters: [
      id,
      { name: "args", in: "query", description: "Arguments, which replace $ARGUMENTS.", schema: schema.text },
    ],
    answer: schema.envelope,
    failures: [403, 404, 409],
    handle: async ({ params, query }, api) => {
      const current = await api.catalog();
      const { path } = findEntry(current, params.id ?? "").skill;
      return json(await call(api, "skill_load", { path, args: query.get("args") ?? "", force: true }));
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/files/{path...}",
    summary: "A text file in the skill's folder, up to skills.files.maxBytes.",
    parameters: [
      id,
      {
        name: "path",
        in: "path",
        description: "Path relative to the skill's folder; may contain slashes.",
        schema: schema.text,
        required: true,
      },
    ],
    answer: schema.skillFile,
    failures: [403, 404, 409, 422],
    handle: async ({ params }, api) => {
      const current = await api.catalog();
      const { path } = findEntry(current, params.id ?? "").skill;
      return json((await call(api, "skill_read_file", { path, file: params.path })).data);
    },
  },
];

/** Calls a tool as a person: no confirmation is needed, but deny rules apply. */
async function call({ host }: Api, tool: string, params: object): Promise<Envelope> {
  const session = host.runtime.session({ observe: async () => undefined });
  const envelope = await session.call(tool, params, { actor: "person" });
  const { error, data } = envelope;
  if (error) throw new ToolError(error.code, error.message, data);
  return envelope;
}
