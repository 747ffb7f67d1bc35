import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { isToken } from "../../host/token.ts";
import { HttpError } from "../server/http-error.ts";
import type { ServerLimits } from "../server/limits.ts";
import { type Sender, Senders } from "./sender.ts";

interface Wrongs {
  readonly count: number;
  readonly last: number;
}

/** Maximum number of senders to remember; the oldest is forgotten first. */
const MAX_SENDERS = 1_000;
/** A sender's count is reset after this time without a wrong token. */
const FORGOTTEN_MS = 5 * 60_000;
const SLOWEST_MS = 4_000;

const WHERE =
  'Send the header "Authorization: Bearer TOKEN". TOKEN is in ~/.knack/token of the user who runs "knack serve", or the KNACK_TOKEN that the server was started with.';

/**
 * Admits requests with the token. Each wrong token in a row delays the answer to that sender longer. A right token is
 * answered at once, so nobody can slow down the user.
 */
export class Gate {
  readonly #token: string;
  /** Identifies the token without revealing it. */
  readonly #caller: string;
  readonly #limits: ServerLimits;
  readonly #senders = new Senders();
  readonly #wrongs = new Map<string, Wrongs>();
  #slowed = 0;

  constructor(token: string, limits: ServerLimits) {
    this.#token = token;
    this.#caller = createHash("sha256").update(`caller:${token}`).digest("hex").slice(0, 16);
    this.#limits = limits;
  }

  /** Returns the caller of the request; throws `HttpError` without a token, and after a delay for a wrong one. */
  async pass(request: IncomingMessage): Promise<string> {
    const given = authorizations(request);
    if (given.length === 0)
      throw new HttpError(401, "ACCESS_DENIED", `A token is required. ${WHERE}`, {
        headers: { "WWW-Authenticate": 'Bearer realm="knack"' },
      });
    if (given.length === 1 && isRight(given[0] ?? "", this.#token)) {
      if (this.#wrongs.size > 0) this.#forgive(await this.#senders.of(request.socket));
      return this.#caller;
    }
    await this.#slow(this.#count(await this.#senders.of(request.socket)));
    throw new HttpError(401, "ACCESS_DENIED", `The token is wrong. ${WHERE}`, {
      headers: { "WWW-Authenticate": 'Bearer realm="knack", error="invalid_token"' },
    });
  }

  #forgive({ id, isOne }: Sender): void {
    if (isOne) this.#wrongs.delete(id);
  }

  /** The number of wrong tokens this sender has sent in a row, including this one. */
  #count({ id }: Sender): number {
    const before = this.#wrongs.get(id);
    const now = performance.now();
    const count = before && now - before.last < FORGOTTEN_MS ? before.count + 1 : 1;
    this.#wrongs.delete(id);
    const [oldest] = this.#wrongs.keys();
    if (this.#wrongs.size >= MAX_SENDERS && oldest !== undefined) this.#wrongs.delete(oldest);
    this.#wrongs.set(id, { count, last: now });
    return count;
  }

  /** Delayed requests hold connections, so beyond a few they get 429 at once. */
  async #slow(count: number): Promise<void> {
    const beyond = count - this.#limits.wrongTokens;
    if (beyond <= 0) return;
    if (this.#slowed >= this.#limits.slowed)
      throw new HttpError(429, "ACCESS_DENIED", `Too many wrong tokens. Wait a few seconds. ${WHERE}`, {
        headers: { "Retry-After": String(SLOWEST_MS / 1_000), Connection: "close" },
      });
    this.#slowed++;
    try {
      await delay(Math.min(1_000 * 2 ** Math.min(beyond - 1, 10), SLOWEST_MS), undefined, { ref: false });
    } finally {
      this.#slowed--;
    }
  }
}

/** Node keeps only the first of several headers; proxies may read another one. */
function authorizations({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "authorization");
}

function isRight(authorization: string, token: string): boolean {
  const given = /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
  return given !== undefined && isToken(given, token);
}
