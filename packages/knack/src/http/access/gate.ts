import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { KnackError } from "@knack/core";
import { type Engine, findAccessToken } from "@knack/engine";
import type { Caller } from "../../host/access.ts";
import { isToken } from "../../host/token.ts";
import { httpError } from "../error-response.ts";
import type { Rate, ServerLimits } from "../server/limits.ts";

const SCHEME = 'Bearer realm="knack"';
const HEADER = 'Send the header "Authorization: Bearer TOKEN".';
const OWN = `${HEADER} TOKEN is in ~/.knack/token of the user who runs "knack serve", or the KNACK_TOKEN that the server was started with.`;
const NAMED = `${HEADER} TOKEN is your access token; the owner of this server makes one with "knack token add".`;

/**
 * Admits requests with a token. The user's own is an owner's; `null` where others can reach the server. Named tokens are looked
 * up for each request, so that a revoked one is refused at once. A right token is always answered, so nobody can lock out the
 * user with wrong ones.
 */
export function gate(
  own: string | null,
  engine: Pick<Engine, "history">,
  { tokenRate, wrongTokenRate }: Pick<ServerLimits, "tokenRate" | "wrongTokenRate">,
) {
  const user: Caller = { id: hash("sha256", `caller:${own}`).slice(0, 16), name: null, role: "owner" };
  const where = own === null ? NAMED : OWN;
  const waitAfter = limiter(tokenRate);
  /** One for all senders: a token of 256 bits is not guessed, and a wrong one costs a look into the database. */
  const waitAfterWrong = limiter(wrongTokenRate);

  const callerOf = async ([authorization = "", ...more]: readonly string[]): Promise<Caller | undefined> => {
    const text = /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
    if (text === undefined || more.length > 0) return undefined;
    if (own !== null && isToken(text, own)) return user;
    const found = await findAccessToken(await engine.history(), text);
    return found && { id: found.id, name: found.name, role: found.role };
  };

  const refusal = (): KnackError => {
    const seconds = waitAfterWrong("");
    if (seconds === 0)
      return httpError(401, "ACCESS_DENIED", `The token is wrong. ${where}`, {
        "WWW-Authenticate": `${SCHEME}, error="invalid_token"`,
      });
    return httpError(429, "ACCESS_DENIED", `Too many wrong tokens. Wait a few seconds. ${where}`, {
      "Retry-After": String(seconds),
      Connection: "close",
    });
  };

  return {
    pass: async (request: IncomingMessage): Promise<Caller> => {
      const given = authorizations(request);
      if (given.length === 0)
        throw httpError(401, "ACCESS_DENIED", `A token is required. ${where}`, {
          "WWW-Authenticate": SCHEME,
        });
      const caller = await callerOf(given);
      if (!caller) throw refusal();
      // The user's own programs may be as fast as they like.
      const seconds = caller.name === null ? 0 : waitAfter(caller.id);
      if (seconds === 0) return caller;
      const message = `Too many requests: at most ${tokenRate.perSecond} per second for each token.`;
      throw httpError(429, "CONFLICT", message, { "Retry-After": String(seconds) });
    },
    isStillValid: async (request: IncomingMessage): Promise<boolean> =>
      (await callerOf(authorizations(request))) !== undefined,
  };
}

/** Counts one for an id; answers how many seconds to wait, 0 where there is room. */
function limiter({ perSecond, atOnce }: Rate): (id: string) => number {
  const left = new Map<string, { count: number; at: number }>();
  return (id) => {
    const now = performance.now();
    const before = left.get(id) ?? { count: atOnce, at: now };
    const count = Math.min(atOnce, before.count + ((now - before.at) / 1_000) * perSecond);
    left.set(id, { count: count < 1 ? count : count - 1, at: now });
    return count >= 1 ? 0 : Math.max(1, Math.ceil((1 - count) / perSecond));
  };
}

/** Node keeps only the first of several headers; proxies may read another one. */
function authorizations({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "authorization");
}
