import { type Confirm, KnackError } from "@knack/core";
import { followStart, runReport } from "@knack/engine";
import { namedCaller } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { httpError } from "./error-response.ts";
import { Room } from "./server/limits.ts";

export type SkillRuns = ReturnType<typeof skillRuns>;
type Params = Readonly<Record<string, unknown>>;

/**
 * Runs skills for HTTP requests. A run continues after its client disconnects: others may wait for it, and its record says
 * how it ended.
 */
export function skillRuns(host: Host, limit: number) {
  const room = new Room(limit);
  let isEnding = false;

  const run = async (skill: string, params: Params, confirmed: readonly string[]): Promise<unknown> => {
    if (isEnding) throw ending();
    const leave = room.take(namedCaller() ?? { name: null });
    if (!leave)
      throw httpError(503, "CONFLICT", "Too many runs are in progress; try again later.", {
        "Retry-After": "1",
      });
    try {
      // Whoever has the token is the user, so nobody is asked for leave; deny rules apply.
      const confirm: Confirm = async ({ confirms }) =>
        confirms && confirmed.includes(confirms.role) ? "yes" : "dismissed";
      const { data, error } = await host.runtime.session().call(skill, params, { actor: "person", confirm });
      // A failed run is an answer too.
      if (!error || ("id" in data && "status" in data)) return data;
      throw isEnding ? ending() : new KnackError(error.code, error.message, { data });
    } finally {
      leave();
    }
  };

  return {
    run,
    /** Answers with the run when it has started, or with its end if that comes first: a cached result, a refusal. */
    start: (skill: string, params: Params, confirmed: readonly string[]): Promise<unknown> => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const started = followStart(
        (one) => resolve(runReport(one)),
        () => run(skill, params, confirmed),
      );
      started.then(resolve, reject);
      return promise;
    },
    /** From now on cancelled runs are reported as interrupted, and no new run starts. */
    end: (): void => {
      isEnding = true;
    },
  };
}

function ending(): KnackError {
  return httpError(503, "CONFLICT", "The server is stopping and has ended its runs (SKILL_INTERRUPTED).");
}
