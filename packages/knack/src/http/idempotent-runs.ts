import { createHash } from "node:crypto";
import { ToolError } from "@knack/core";
import { followStart, runReport } from "@knack/engine";
import { currentCaller } from "../host/access/caller.ts";
import type { Host } from "../host/host.ts";
import { HttpError } from "./server/http-error.ts";

/** The answer to a run as bytes, so that it can be sent again. */
export interface RunAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface Known {
  readonly fingerprint: string;
  readonly answer: Promise<RunAnswer>;
  isDone: boolean;
}

/** Number of finished requests to remember by their `Idempotency-Key`. */
const MAX_KEYS = 1_000;

/**
 * Runs skills for HTTP requests. A run continues after its client disconnects: others may wait for it, and its record says
 * how it ended. Requests with the same `Idempotency-Key` are one request.
 */
export class IdempotentRuns {
  readonly #host: Host;
  readonly #limit: number;
  readonly #known = new Map<string, Known>();
  #running = 0;
  #isEnding = false;

  constructor(host: Host, limit: number) {
    this.#host = host;
    this.#limit = limit;
  }

  /** From now on cancelled runs are reported as interrupted, and no new run starts. */
  end(): void {
    this.#isEnding = true;
  }

  /** The answer to this request, or to the first one with the same key; with `isAsync` as soon as the run has started. */
  async answer(
    key: string | undefined,
    bytes: Buffer,
    skill: string,
    params: Readonly<Record<string, unknown>>,
    isAsync = false,
  ): Promise<RunAnswer> {
    const run = () => (isAsync ? this.#start(skill, params) : this.#run(skill, params));
    if (key === undefined) return run();
    if (!/^[\x21-\x7e]{1,255}$/.test(key))
      throw new HttpError(
        400,
        "INVALID_PARAM",
        "An Idempotency-Key must have 1 to 255 visible ASCII characters.",
      );
    const fingerprint = createHash("sha256").update(bytes).digest("hex");
    // A key is its token's own: nobody gets the answer to somebody else's request.
    const own = `${currentCaller()?.id} ${key}`;
    const known = this.#known.get(own);
    if (known && known.fingerprint !== fingerprint)
      throw new HttpError(
        409,
        "E_IDEMPOTENCY_MISMATCH",
        "This Idempotency-Key was used with another body; use another key.",
      );
    return known?.answer ?? this.#remember(own, fingerprint, run());
  }

  #remember(key: string, fingerprint: string, answer: Promise<RunAnswer>): Promise<RunAnswer> {
    const entry: Known = { fingerprint, answer, isDone: false };
    this.#known.set(key, entry);
    // A refused request did not run, so the same key may be tried again.
    const forget = (): void => void this.#known.delete(key);
    answer.then(({ status }) => (status === 200 ? this.#settle(entry) : forget()), forget);
    return answer;
  }

  /** Forgets the oldest finished request if there are too many. */
  #settle(entry: Known): void {
    entry.isDone = true;
    if (this.#known.size <= MAX_KEYS) return;
    for (const [key, { isDone }] of this.#known) {
      if (!isDone) continue;
      this.#known.delete(key);
      return;
    }
  }

  /** Answers with the run when it has started, or with its end if that comes first: a cached result, a refusal. */
  #start(skill: string, params: Readonly<Record<string, unknown>>): Promise<RunAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<RunAnswer>();
    followStart(
      (run) => resolve({ status: 200, body: runReport(run) }),
      () => this.#run(skill, params),
    ).then(resolve, reject);
    return promise;
  }

  async #run(skill: string, params: Readonly<Record<string, unknown>>): Promise<RunAnswer> {
    if (this.#isEnding) throw ending();
    if (this.#running >= this.#limit)
      throw new HttpError(503, "CONFLICT", `${this.#limit} runs are already in progress; try again later.`, {
        headers: { "Retry-After": "1" },
      });
    this.#running++;
    try {
      // Whoever has the token is the user, so there is no confirmation; deny rules apply.
      const envelope = await this.#host.runtime.session().call(skill, params, { actor: "person" });
      const { data, error } = envelope;
      // A failed run is an answer too.
      if (!error || ("id" in data && "status" in data)) return { status: 200, body: data };
      throw this.#isEnding ? ending() : new ToolError(error.code, error.message, data);
    } finally {
      this.#running--;
    }
  }
}

function ending(): HttpError {
  return new HttpError(503, "CONFLICT", "The server is stopping and has ended its runs (SKILL_INTERRUPTED).");
}
