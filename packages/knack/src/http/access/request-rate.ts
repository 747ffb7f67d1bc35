import { HttpError } from "../server/http-error.ts";

/** How many requests a token may send: `perSecond` for long, and `atOnce` after a pause. */
export interface Rate {
  readonly perSecond: number;
  readonly atOnce: number;
}

/** Bounds the requests of each token, so that one program in a loop does not keep others waiting. */
export class RequestRate {
  readonly #rate: Rate;
  readonly #left = new Map<string, { count: number; at: number }>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Counts one request; throws `HttpError` 429 where there were too many. */
  take(id: string, now = performance.now()): void {
    const { perSecond, atOnce } = this.#rate;
    const before = this.#left.get(id) ?? { count: atOnce, at: now };
    const count = Math.min(atOnce, before.count + ((now - before.at) / 1_000) * perSecond);
    this.#left.set(id, { count: count < 1 ? count : count - 1, at: now });
    if (count >= 1) return;
    throw new HttpError(
      429,
      "CONFLICT",
      `Too many requests: at most ${perSecond} per second for each token.`,
      {
        headers: { "Retry-After": String(Math.max(1, Math.ceil((1 - count) / perSecond))) },
      },
    );
  }
}
