import { addAccessToken, listAccessTokens, ROLES, revokeAccessToken } from "@knack/engine";
import * as z from "zod";
import { tokenReport } from "../../host/access/token-report.ts";
import { json, type Route } from "../api/route.ts";
import { count, text } from "../api/schemas.ts";
import { readBody } from "./read-body.ts";

const role = z.enum(ROLES);
const token = z.object({
  name: text,
  role,
  created_at: text,
  created_by: text,
  revoked_at: text.nullable(),
});
const newToken = z.strictObject({ name: text, role });

/** Routes that say who you are, and that manage access tokens as `knack token` does. */
export const accessRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/me",
    summary: "Whose token the request has: its name (null: the user's own token) and its role.",
    answer: z.object({ name: text.nullable(), role }),
    handle: ({ caller }) => json({ name: caller?.name ?? null, role: caller?.role ?? "reader" }),
  },
  {
    method: "GET",
    path: "/api/tokens",
    summary: "The access tokens by name, revoked ones too. The tokens themselves are not kept.",
    answer: z.object({ tokens: z.array(token), count }),
    handle: async (_asked, { host: { engine } }) => {
      const tokens = (await listAccessTokens(await engine.history())).map(tokenReport);
      return json({ tokens, count: tokens.length });
    },
  },
  {
    method: "POST",
    path: "/api/tokens",
    summary: "Adds an access token. The answer is the only place where it is ever shown.",
    body: newToken,
    answer: token.extend({ token: text }),
    failures: [409],
    handle: async ({ body }, { host: { engine } }) => {
      const { text: secret, token: added } = await addAccessToken(
        await engine.store(),
        readBody(newToken, body),
      );
      return json({ ...tokenReport(added), token: secret });
    },
  },
  {
    method: "DELETE",
    path: "/api/tokens/{name}",
    summary: "Revokes an access token: from the next request on it is refused, and its streams end.",
    parameters: [
      { name: "name", in: "path", description: "The name of the token.", schema: text, required: true },
    ],
    answer: token,
    failures: [404],
    handle: async ({ params }, { host: { engine } }) =>
      json(tokenReport(await revokeAccessToken(await engine.store(), params.name ?? ""))),
  },
];
