import { SkillError } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import type { Place } from "../../mcp/client-config/client.ts";
import { connect, previewConnect } from "../../setup/connect-client.ts";
import { lookAtClients } from "../../setup/look-at-clients.ts";
import { clientNamed } from "../../setup/plan/plan-job.ts";
import { shown } from "../../setup/shown.ts";
import { readChoice } from "../api/read-query.ts";
import { json, type Parameter, type Route } from "../api/route.ts";
import { text } from "../api/schemas.ts";
import { HttpError } from "../server/http-error.ts";
import { readBody } from "./read-body.ts";
import * as schema from "./schemas.ts";

const client: Parameter = {
  name: "client",
  in: "path",
  description: "A client, by the name that knack setup has for it.",
  schema: text,
  required: true,
};

/** Routes that give the skills to the agents on this machine, as `knack setup` does. */
export const connectRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/connect",
    summary: "The agents on this machine, and which of them get their skills from Knack.",
    answer: schema.connections,
    handle: (_asked, { origin }) => {
      const place = here();
      const clients = lookAtClients(place).map((one) => ({
        ...one,
        file: shown(one.file, { place }),
        ...(one.error === undefined ? {} : { error: one.error.replaceAll(place.home, "~") }),
        command: `knack setup ${one.client}`,
      }));
      return json({ clients, mcp: `${origin}/mcp` });
    },
  },
  {
    method: "GET",
    path: "/api/connect/{client}",
    summary: "What knack setup would change in the file of a client; writes nothing.",
    parameters: [
      client,
      {
        name: "action",
        in: "query",
        description: "set up by default; remove undoes it.",
        schema: schema.connectBody.shape.action,
      },
    ],
    answer: schema.connectPreview,
    failures: [409],
    handle: async ({ params, query }) => {
      const action = readChoice(query, "action", schema.connectBody.shape.action.options) ?? "set up";
      return json(await told(previewConnect(clientNamed(params.client ?? ""), action, here())));
    },
  },
  {
    method: "POST",
    path: "/api/connect/{client}",
    isRecorded: true,
    summary:
      "Changes the file of a client, as knack setup does: exactly what was shown under this seen. Keeps a backup, and asks the client whether it connects.",
    parameters: [client],
    body: schema.connectBody,
    answer: schema.connectAnswer,
    failures: [409],
    handle: async ({ params, body, signal }) => {
      const { action, seen } = readBody(schema.connectBody, body);
      return json(await told(connect(clientNamed(params.client ?? ""), action, seen, here(), signal)));
    },
  },
];

/** The fault is in the file of a client, not in Knack's configuration: the message says which and where. */
function told<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof SkillError) || error.code !== "CONFIG_INVALID") throw error;
    throw new HttpError(409, "CONFLICT", error.message);
  });
}

function here(): Place {
  return { env: process.env, home: homeFolder(process.env), platform: process.platform };
}
