import type { Caller } from "../../host/access.ts";
import { QUESTION_MS } from "../../mcp/page-questions.ts";

/** How often something may happen: `perSecond` for long, and `atOnce` after a pause. */
export interface Rate {
  readonly perSecond: number;
  readonly atOnce: number;
}

export type ServerLimits = Readonly<typeof LIMITS>;

export const LIMITS = {
  /** Time limits for the headers and for the complete request. Answers may take longer. */
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  connections: 512,
  headers: 100,
  headerBytes: 32 * 1024,
  pathBytes: 8 * 1024,
  bodyBytes: 4 * 1024 * 1024,
  /** Size of an uploaded file, which is not kept in memory. */
  uploadBytes: 512 * 1024 * 1024,
  stalledMs: 30_000,
  /** Maximum number of streams (server-sent events) of all kinds; less than `connections`, so that others can connect. */
  streams: 224,
  eventStreams: 32,
  runs: 16,
  /** Wrong tokens of all senders together. */
  wrongTokenRate: { perSecond: 1, atOnce: 20 },
  tokenRate: { perSecond: 50, atOnce: 250 },
  /** How often an open stream looks whether its token was revoked. */
  recheckMs: 2_000,
  heartbeatMs: 15_000,
  /** How often the log is polled while someone follows it: other processes write it too. */
  pollMs: 500,
  questionMs: QUESTION_MS,
};

/** Of each of these limits a named token gets at most this part, so that no single one takes what others need. */
const TOKEN_PART = 1 / 4;

/** Counts what is in use at once: in all, and by each named token. The user's own programs may use all of it. */
export class Room {
  readonly #limit: number;
  readonly #used = new Map<string | null, number>();
  #all = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How to give it back; `undefined` where there is no room. */
  take({ name }: Pick<Caller, "name">): (() => void) | undefined {
    const own = this.#used.get(name) ?? 0;
    if (this.#all >= this.#limit || (name !== null && own >= this.#limit * TOKEN_PART)) return undefined;
    this.#add(name, 1);
    return () => this.#add(name, -1);
  }

  #add(name: string | null, count: number): void {
    this.#all += count;
    const own = (this.#used.get(name) ?? 0) + count;
    if (own === 0) this.#used.delete(name);
    else this.#used.set(name, own);
  }
}
