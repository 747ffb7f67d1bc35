import type { TaskReport } from "@knack/engine";
import * as z from "zod";
import type { Host } from "../host/host.ts";
import { conflict } from "../options.ts";
import { fault, text, yes } from "./api/schemas.ts";

export const planRunState = z.strictObject({
  running: yes,
  started_at: text.nullable(),
  finished_at: text.nullable(),
  error: fault.nullable(),
});
type PlanRunState = z.infer<typeof planRunState>;

interface PlanRun {
  readonly end: AbortController;
  readonly work: Promise<void>;
  state: PlanRunState;
  tasks: readonly TaskReport[];
}

const NEVER: PlanRunState = { running: false, started_at: null, finished_at: null, error: null };
const STOPPED = { code: "SKILL_INTERRUPTED", message: "The plan was stopped." };

export type PlanRuns = ReturnType<typeof planRuns>;

/**
 * Runs plans for HTTP requests. A plan goes on after its client disconnects; the log says how far it is, and `onEnd` that
 * nothing more is run.
 */
export function planRuns({ engine, live }: Host, onEnd: () => void) {
  const runs = new Map<string, PlanRun>();
  const state = (id: string): PlanRunState => runs.get(id)?.state ?? NEVER;

  /** Without the folder of the project, which other answers do not name either. */
  const told = (error: unknown): NonNullable<PlanRunState["error"]> => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "EXECUTION_ERROR";
    const message = error instanceof Error ? error.message : String(error);
    return { code, message: message.replaceAll(`${live.catalog.projectRoot}/`, "") };
  };

  /** Cancels the runs in progress and starts no more. Answers when they are recorded. */
  const stop = async (id: string): Promise<boolean> => {
    const run = runs.get(id);
    if (!run?.state.running) return false;
    run.end.abort();
    await run.work;
    return true;
  };

  return {
    state,
    stop,
    /** What the last run found out about a task beyond the database. */
    outcome: (id: string, task: string): Pick<TaskReport, "cached" | "error" | "kept"> => {
      const { cached, error, kept } = runs.get(id)?.tasks.find((one) => one.id === task) ?? {};
      return { cached, error, kept };
    },
    /** Starts to run what is READY. Throws if the plan is being run already. */
    start: (id: string, file: string, parallel: number): PlanRunState => {
      if (state(id).running) throw conflict("This plan is being run already; stop it first.");
      const end = new AbortController();
      const started_at = new Date().toISOString();
      const settle = (tasks: readonly TaskReport[], error: PlanRunState["error"]): void => {
        run.state = { running: false, started_at, finished_at: new Date().toISOString(), error };
        run.tasks = tasks;
        onEnd();
      };
      const work = engine.runPlan(file, { parallel, signal: end.signal }).then(
        ({ tasks }) => settle(tasks, null),
        (error: unknown) => settle([], end.signal.aborted ? STOPPED : told(error)),
      );
      const run: PlanRun = { end, work, state: { ...NEVER, running: true, started_at }, tasks: [] };
      runs.set(id, run);
      return run.state;
    },
    close: async (): Promise<void> => {
      await Promise.all([...runs.keys()].map(stop));
    },
  };
}
