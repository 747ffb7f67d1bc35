import { addAccessToken, listAccessTokens, ROLES, revokeAccessToken } from "@knack/engine";
import * as z from "zod";
import { route } from "../api/route.ts";
import { count, text } from "../api/schemas.ts";

const role = z.enum(ROLES);
const token = z.strictObject({
  name: text,
  role,
  created_at: text,
  created_by: text,
  revoked_at: text.nullable(),
});

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const accessRoutes = [
  route("GET /api/me", "reader", {
    summary: "Whose token the request has: its name (null: the user's own token) and its role.",
    answer: z.strictObject({ name: text.nullable(), role }),
    handle: ({ caller }) => ({ name: caller.name, role: caller.role }),
  }),
  route("GET /api/tokens", "owner", {
    summary: "The access tokens by name, revoked ones too. The tokens themselves are not kept.",
    answer: z.strictObject({ tokens: z.array(token), count }),
    handle: async (_asked, { host: { engine } }) => {
      const tokens = await listAccessTokens(await engine.history());
      return { tokens, count: tokens.length };
    },
  }),
  route("POST /api/tokens", "owner", {
    summary: "Adds an access token. The answer is the only place where it is ever shown.",
    body: z.strictObject({ name: text, role }),
    answer: token.extend({ token: text }),
    failures: [409],
    handle: async ({ body }, { host: { engine } }) => {
      const added = await addAccessToken(await engine.store(), body);
      return { ...added.token, token: added.text };
    },
  }),
  route("DELETE /api/tokens/{name}", "owner", {
    summary: "Revokes an access token: from the next request on it is refused, and its streams end.",
    answer: token,
    handle: async ({ params }, { host: { engine } }) => revokeAccessToken(await engine.store(), params.name),
  }),
  route("GET /metrics", "reader", {
    summary: "Counters of this server for Prometheus, and what waits in the queue.",
    type: "text/plain",
    handle: async () => {
      const { openMeters } = await import("../../telemetry/metering.ts");
      const bytes = Buffer.from(await openMeters().text());
      return new Response(bytes, {
        headers: { "Content-Type": METRICS_TYPE, "Content-Length": String(bytes.length) },
      });
    },
  }),
];
