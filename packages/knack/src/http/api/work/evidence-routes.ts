import * as z from "zod";
import { namedFile } from "../../access/inside-project.ts";
import { HttpError } from "../../server/http-error.ts";
import { readText } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import { planId, readString } from "./plan-routes.ts";
import * as schema from "./schemas.ts";

const taskId: Parameter = {
  name: "task",
  in: "path",
  description: "The id of a task of the plan.",
  schema: common.text,
  required: true,
};

/** Routes that bind evidence to the tasks of a plan, as knack evidence add does. */
export const evidenceRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/plans/{id}/tasks/{task}/evidence",
    summary: "Confirms a requirement of a task, or attaches a file that is there, as knack evidence add.",
    parameters: [planId, taskId],
    body: z.strictObject({
      requirement: common.text,
      confirm: z.literal(true).exactOptional(),
      file: common.text.exactOptional(),
    }),
    answer: schema.evidenced,
    failures: [404, 409],
    handle: async ({ params, body, caller }, { host: { engine, live } }) => {
      const requirement = readString(body, "requirement", ["requirement", "confirm", "file"]);
      const { confirm, file } = body;
      if ((confirm === true) === (typeof file === "string"))
        throw new HttpError(400, "INVALID_PARAM", 'Use either "confirm": true or "file": a path.');
      const by = caller?.name ?? process.env.USER ?? process.env.LOGNAME;
      const evidence =
        typeof file === "string"
          ? { file: namedFile(caller, live.catalog.projectRoot, file) }
          : ({ confirm: true, ...(by ? { by } : {}) } as const);
      const { added, status } = await engine.addEvidence(
        `${params.id}/${params.task}`,
        requirement,
        evidence,
      );
      return json({ added, status });
    },
  },
  {
    method: "POST",
    path: "/api/plans/{id}/tasks/{task}/files",
    summary:
      "Attaches an uploaded file to a requirement of a task. The body is the file; it is kept below workspace/attached in the project.",
    parameters: [
      planId,
      taskId,
      {
        name: "requirement",
        in: "query",
        description: "The name of a requirement for files.",
        schema: common.text,
        required: true,
      },
      {
        name: "name",
        in: "query",
        description: "The name of the file, without folders.",
        schema: common.text,
        required: true,
      },
    ],
    upload: true,
    answer: schema.attached,
    failures: [404, 409],
    handle: async ({ params, query, upload }, { host: { engine } }) => {
      const requirement = readText(query, "requirement");
      const name = readText(query, "name");
      const file = { name, bytes: upload() };
      const { added, status, path } = await engine.attach(`${params.id}/${params.task}`, requirement, file);
      return json({ added, path, status });
    },
  },
];
