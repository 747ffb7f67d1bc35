import type { KnackError } from "@knack/core";
import { ToolError } from "@knack/core";
import { followStart, runReport } from "@knack/engine";
import type { Host } from "../host/host.ts";
import { httpError } from "./error-response.ts";

/**
 * Runs skills for HTTP requests. A run continues after its client disconnects: others may wait for it, and its record says
 * how it ended.
 */
export class SkillRuns {
  readonly #host: Host;
  readonly #limit: number;
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

  /** Answers with the run when it has started, or with its end if that comes first: a cached result, a refusal. */
  start(skill: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    followStart(
      (run) => resolve(runReport(run)),
      () => this.run(skill, params),
    ).then(resolve, reject);
    return promise;
  }

  /** Answers with the run when it has ended. */
  async run(skill: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#isEnding) throw ending();
    if (this.#running >= this.#limit)
      throw httpError(503, "CONFLICT", `${this.#limit} runs are already in progress; try again later.`, {
        "Retry-After": "1",
      });
    this.#running++;
    try {
      // Whoever has the token is the user, so there is no confirmation; deny rules apply.
      const { data, error } = await this.#host.runtime.session().call(skill, params, { actor: "person" });
      // A failed run is an answer too.
      if (!error || ("id" in data && "status" in data)) return data;
      throw this.#isEnding ? ending() : new ToolError(error.code, error.message, data);
    } finally {
      this.#running--;
    }
  }
}

function ending(): KnackError {
  return httpError(503, "CONFLICT", "The server is stopping and has ended its runs (SKILL_INTERRUPTED).");
}
