import { SkillError } from "@knack/core";
import type { PlanStatus, TaskReport } from "@knack/engine";
import type { Host } from "../host/host.ts";

/** Where the run of a plan by this server stands. */
export interface PlanRunState {
  readonly running: boolean;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface PlanRun {
  readonly end: AbortController;
  readonly work: Promise<void>;
  state: PlanRunState;
  /** What the last run said about each task. */
  tasks: readonly TaskReport[];
}

const NEVER: PlanRunState = { running: false, started_at: null, finished_at: null, error: null };

/** Runs plans for HTTP requests. A plan goes on after its client disconnects; the log says how far it is. */
export class PlanRuns {
  readonly #host: Host;
  readonly #runs = new Map<string, PlanRun>();

  constructor(host: Host) {
    this.#host = host;
  }

  state(id: string): PlanRunState {
    return this.#runs.get(id)?.state ?? NEVER;
  }

  /** What the last run found out about a task beyond the database. */
  outcome(id: string, task: string): Pick<TaskReport, "cached" | "error" | "kept"> {
    const { cached, error, kept } = this.#runs.get(id)?.tasks.find((one) => one.id === task) ?? {};
    return { cached, error, kept };
  }

  /** Starts to run what is READY. Throws if the plan is being run already. */
  start(id: string, file: string, parallel: number): PlanRunState {
    if (this.state(id).running)
      throw new SkillError("CONFLICT", "This plan is being run already; stop it first.");
    const end = new AbortController();
    const started_at = new Date().toISOString();
    const settle = (tasks: readonly TaskReport[], error: PlanRunState["error"]): void => {
      entry.state = { running: false, started_at, finished_at: new Date().toISOString(), error };
      entry.tasks = tasks;
    };
    const work = this.#host.engine.runPlan(file, { parallel, signal: end.signal }).then(
      ({ tasks }: PlanStatus) => settle(tasks, null),
      (error: unknown) => settle([], end.signal.aborted ? STOPPED : this.#told(error)),
    );
    const entry: PlanRun = {
      end,
      work,
      state: { running: true, started_at, finished_at: null, error: null },
      tasks: [],
    };
    this.#runs.set(id, entry);
    return entry.state;
  }

  /** Cancels the runs in progress and starts no more. Answers when they are recorded. */
  async stop(id: string): Promise<boolean> {
    const run = this.#runs.get(id);
    if (!run?.state.running) return false;
    run.end.abort();
    await run.work;
    return true;
  }

  /** Without the folder of the project, which other answers do not name either. */
  #told(error: unknown): { code: string; message: string } {
    const code = error instanceof Error && "code" in error ? String(error.code) : "EXECUTION_ERROR";
    const message = error instanceof Error ? error.message : String(error);
    return { code, message: message.replaceAll(`${this.#host.live.catalog.projectRoot}/`, "") };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.keys()].map((id) => this.stop(id)));
  }
}

const STOPPED = { code: "SKILL_INTERRUPTED", message: "The plan was stopped." };
