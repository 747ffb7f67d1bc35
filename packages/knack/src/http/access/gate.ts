import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../../host/access/caller.ts";
import { HttpError } from "../server/http-error.ts";
import type { ServerLimits } from "../server/limits.ts";
import type { Authenticate } from "./authenticate.ts";
import { RequestRate } from "./request-rate.ts";
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

const HEADER = 'Send the header "Authorization: Bearer TOKEN".';
const OWN = `${HEADER} TOKEN is in ~/.knack/token of the user who runs "knack serve", or the KNACK_TOKEN that the server was started with.`;
const NAMED = `${HEADER} TOKEN is your access token; the owner of this server makes one with "knack token add".`;

export interface GateOptions {
  readonly authenticate: Authenticate;
  readonly limits: ServerLimits;
  /** Whether others can reach the server, so that only named tokens are accepted. */
  readonly isShared: boolean;
  /** Whether a proxy says which address a request comes from. */
  readonly isBehindProxy: boolean;
}

/**
 * Admits requests with a token. Each wrong token in a row delays the answer to that sender longer. A right token is
 * answered at once, so nobody can slow down the user.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #where: string;
  readonly #rate: RequestRate;
  readonly #senders: Senders;
  readonly #wrongs = new Map<string, Wrongs>();
  #slowed = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#where = options.isShared ? NAMED : OWN;
    this.#rate = new RequestRate(options.limits.tokenRate);
    this.#senders = new Senders(options.isBehindProxy);
  }

  /** Returns the caller of the request; throws `HttpError` without a token, and after a delay for a wrong one. */
  async pass(request: IncomingMessage): Promise<Caller> {
    const given = authorizations(request);
    if (given.length === 0)
      throw new HttpError(401, "ACCESS_DENIED", `A token is required. ${this.#where}`, {
        headers: { "WWW-Authenticate": 'Bearer realm="knack"' },
      });
    const caller = given.length === 1 ? await this.#callerOf(given[0] ?? "") : undefined;
    if (caller) {
      if (this.#wrongs.size > 0) this.#forgive(await this.#senders.of(request));
      // The user's own programs may be as fast as they like.
      if (caller.name !== null) this.#rate.take(caller.id);
      return caller;
    }
    await this.#slow(this.#count(await this.#senders.of(request)));
    throw new HttpError(401, "ACCESS_DENIED", `The token is wrong. ${this.#where}`, {
      headers: { "WWW-Authenticate": 'Bearer realm="knack", error="invalid_token"' },
    });
  }

  /** Whether the token of a request that was let in is still valid. */
  async isStillValid(request: IncomingMessage): Promise<boolean> {
    return (await this.#callerOf(authorizations(request)[0] ?? "")) !== undefined;
  }

  async #callerOf(authorization: string): Promise<Caller | undefined> {
    const text = /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
    return text === undefined ? undefined : this.#options.authenticate(text);
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
    const beyond = count - this.#options.limits.wrongTokens;
    if (beyond <= 0) return;
    if (this.#slowed >= this.#options.limits.slowed)
      throw new HttpError(429, "ACCESS_DENIED", `Too many wrong tokens. Wait a few seconds. ${this.#where}`, {
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
