import { KnackError } from "@knack/core/text";
import * as z from "zod";
import { CLIENT_NAMES } from "../../client-names.ts";
import { conflict } from "../../options.ts";
import { ownPlace } from "../../setup/client-file.ts";
import { connect, listedClientSchema, lookAtClients, previewConnect } from "../../setup/connect-client.ts";
import { clientNamed } from "../../setup/plan-job.ts";
import { shown } from "../../setup/show-change.ts";
import { route } from "../api/route.ts";
import { text, yes } from "../api/schemas.ts";

const client = z.enum(CLIENT_NAMES);
const action = z.enum(["set up", "remove"]);

export const connectRoutes = [
  route("GET /api/connect", "reader", {
    summary: "The agents on this machine, and which of them get their skills from Knack.",
    answer: z.strictObject({
      clients: z.array(
        /** `command`: what to type instead of pressing the button. */
        listedClientSchema.extend({ command: text }),
      ),
      mcp: text,
    }),
    handle: (_asked, { origin }) => {
      const place = ownPlace();
      // The folder of the user who started the server is nobody else's business.
      const masked = (path: string): string => path.replaceAll(place.home, "~");
      const clients = lookAtClients(place).map((one) => ({
        ...one,
        program: one.program && masked(one.program),
        file: shown(one.file, place),
        error: one.error && masked(one.error),
        command: `knack setup ${one.client}`,
      }));
      return { clients, mcp: `${origin}/mcp` };
    },
  }),
  route("GET /api/connect/{client}", "owner", {
    // Shows and changes files in the home folder of the user who started the server.
    summary: "What knack setup would change in the files of a client; writes nothing.",
    query: { action: action.default("set up").describe("set up by default; remove undoes it.") },
    answer: z.strictObject({
      client,
      title: text,
      action,
      file: text,
      changes: yes,
      files: z.array(z.strictObject({ file: text, diff: z.array(text) })),
      about: z.array(text),
      remarks: z.array(text),
      seen: text,
    }),
    failures: [409],
    handle: ({ params, query }) =>
      asConflict(previewConnect(clientNamed(params.client), query.action, ownPlace())),
  }),
  route("POST /api/connect/{client}", "owner", {
    summary:
      "Changes the files of a client, as knack setup does: exactly what was shown under this seen. Keeps a backup, and asks the client whether it connects.",
    isRecorded: true,
    body: z.strictObject({ action, seen: text }),
    answer: z.strictObject({
      client,
      file: text,
      target: text.exactOptional(),
      action: z.enum(["set up", "removed", "unchanged"]),
      changed: yes,
      backup: text.nullable(),
      hooks: z.enum(["tool", "command"]).nullable(),
      files: z.array(
        z.strictObject({ file: text, target: text.exactOptional(), backup: text.nullable(), changed: yes }),
      ),
      check: z
        .strictObject({ command: text.nullable(), connected: yes.nullable(), message: text })
        .nullable(),
      reads: z.array(text),
    }),
    failures: [409],
    handle: ({ params, body, signal }) =>
      asConflict(connect(clientNamed(params.client), body.action, body.seen, ownPlace(), signal)),
  }),
];

/** The fault is in the file of a client, not in Knack's configuration: the message says which and where. */
function asConflict<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof KnackError) || error.code !== "CONFIG_INVALID") throw error;
    throw conflict(error.message);
  });
}
