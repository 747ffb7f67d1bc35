import { createHash } from "node:crypto";
import { type Engine, findAccessToken } from "@knack/engine";
import type { Caller } from "../../host/access/caller.ts";
import { isToken } from "../../host/token.ts";

/** Whose token a text is; `undefined` if it is nobody's. */
export type Authenticate = (text: string) => Promise<Caller | undefined>;

/**
 * The user's own token is an owner's; `null` where others can reach the server. Named tokens are looked up for each request,
 * so that a revoked one is refused at once.
 */
export function authenticator(own: string | null, engine: Pick<Engine, "history">): Authenticate {
  const user: Caller = {
    id: createHash("sha256").update(`caller:${own}`).digest("hex").slice(0, 16),
    name: null,
    role: "owner",
  };
  return async (text) => {
    if (own !== null && isToken(text, own)) return user;
    const found = await findAccessToken(await engine.history(), text);
    return found && { id: found.id, name: found.name, role: found.role };
  };
}
