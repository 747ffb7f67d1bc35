import { KnackError } from "@knack/core/text";
import type { Contents } from "../contents/contents.ts";
import { keepInput } from "../contents/keep-input.ts";
import type { SettledTask } from "../plan/tasks.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import { confirmedBefore } from "../run/input-kinds.ts";
import { type InnerRequest, type PreparedRun, recordedInputs } from "../run/prepare-run.ts";
import type { FinishedRun, RunBinding } from "../run/run-skill.ts";
import { runTimes, type SkillRuns } from "../run/skill-runs.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import { isPostgresDatabase } from "../store/open-store.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { userName } from "../store/runs/claim.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { Boss } from "./boss.ts";
import { cancelQueued, enqueue, findQueued, refuseSecrets, retryDead, retryQueued } from "./change-queue.ts";
import {
  describeQueued,
  entryOf,
  listEnded,
  listQueue,
  liveWorkers,
  type QueueEntry,
  type QueueReport,
  throughput,
  waitingReason,
} from "./list-queue.ts";
import { findQueuedRuns, MAX_PRIORITY, MIN_PRIORITY, type QueuedRun, versionOf } from "./queued-run.ts";
import { Follower } from "./signals.ts";
import { QueueWorker, type WorkerEvent } from "./work/queue-worker.ts";

interface RunQueueOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  readonly store: Store;
  /** Where the machines of a team exchange files: every store on PostgreSQL has it. */
  readonly contents: Contents | null;
}

interface WorkerOptions {
  readonly concurrency: number;
  /** Names of typed skills; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tell: (event: WorkerEvent) => void;
}

export interface QueueRequest extends InnerRequest {
  readonly priority?: number | undefined;
  readonly isOwnRun?: boolean;
}

/** Called with the reason why nobody takes a run, and the id of the run; each reason once. */
export type QueueWaits = (reason: string, id: string) => void;

export type Queued =
  | { readonly queued: QueuedRun; readonly prepared: PreparedRun; readonly served: null }
  | { readonly queued: null; readonly prepared: PreparedRun; readonly served: FinishedRun };

export class RunQueue {
  readonly #options: RunQueueOptions;
  readonly #store: Store;
  readonly #db: PostgresDatabase;
  readonly #contents: Contents;
  #boss: Promise<Boss> | undefined;
  #worker: Boss | undefined;
  #follower: Promise<Follower> | undefined;

  constructor(options: RunQueueOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#db = requirePostgres(options.store);
    if (!options.contents) throw new Error("A store on PostgreSQL has no place for files.");
    this.#contents = options.contents;
  }

  /** Queues a run, unless an earlier run has its result. The same run of a task is queued once. */
  async enqueue(name: string, request: QueueRequest, bind: () => Promise<RunBinding>): Promise<Queued> {
    const priority = checkPriority(request.priority);
    const binding = await bind();
    const { project, runs } = this.#options;
    const { prepared, served } = await runs.prepareOrServe(name, request, binding);
    if (served) return { queued: null, prepared, served };
    const { skill, code, params, key } = prepared;
    refuseSecrets(skill.name, params);
    const { planId, taskId } = binding.task;
    if (planId !== null && taskId !== null) {
      // One of the same task with the same key that has not ended: `plan run --queue` again goes on with it.
      const open = await findQueuedRuns(
        this.#db,
        "WHERE plan_id = ? AND task_id = ? AND state IN ('WAITING', 'RUNNING', 'FAILED')",
        [planId, taskId],
      );
      const queued = open.find((run) => run.request.key === key);
      if (queued) return { queued, prepared, served: null };
      // It may have ended between the two questions.
      const again = { ...request, confirm: confirmedBefore(prepared.confirmed) };
      const ended = await runs.prepareOrServe(name, again, binding);
      if (ended.served) return { queued: null, prepared, served: ended.served };
    }
    for (const { file, path, sha256 } of prepared.inputs)
      if ((await keepInput(this.#contents, file)).sha256 !== sha256)
        throw new KnackError("CONFLICT", `${path} changed while it was being read; try again.`);
    const version = versionOf(skill, code.digest);
    const { digest } = version;
    const isOwnRun = request.isOwnRun === true;
    const inputs = prepared.inputs.map(({ role, path, sha256, size }) => ({ role, path, sha256, size }));
    const confirmed = prepared.confirmed.map(({ text: _, ...given }) => given);
    const id = await enqueue(this.#store, await this.#delivery(), {
      version,
      planId,
      taskId,
      priority,
      queuedBy: request.actor ?? `${userName(project.env)} (${this.#store.actor})`,
      request: { params, inputs, confirmed, key, digest, isOwnRun },
    });
    return { queued: await findQueued(this.#db, id), prepared, served: null };
  }

  /** Waits for the end of a run, and brings its artifacts to this machine. An abort only ends the waiting. */
  async follow(queued: Queued, signal: AbortSignal, waits?: QueueWaits): Promise<FinishedRun> {
    const ended = await this.outcome(queued, signal, waits);
    if ("run" in ended) return ended;
    throw new KnackError(ended.error.code, ended.error.message);
  }

  /** The same; a run that ended without a record is an answer too. */
  async outcome(
    { queued, prepared, served }: Queued,
    signal: AbortSignal,
    waits?: QueueWaits,
  ): Promise<FinishedRun | SettledTask> {
    if (served) return served;
    this.#follower ??= Follower.open(this.#db);
    const follower = await this.#follower;
    const { id, state, planId, taskId, runId, cached, error } = await follower.ended(
      queued.id,
      signal,
      waits && this.#tellReasons(waits),
    );
    if (state === "CANCELLED")
      return { status: "READY", error: { code: "CONFLICT", message: `The queued run ${id} was cancelled.` } };
    const run = runId === null ? null : await getRun(this.#db, runId);
    if (!run) {
      const isRefusal = error?.code === "INVALID_PARAM" || error?.code === "NOT_FOUND";
      const code = isRefusal ? error.code : "EXECUTION_ERROR";
      const message = error?.message ?? `The queued run ${id} ended without a record.`;
      return { status: "FAILED", error: { code, message } };
    }
    for (const artifact of run.artifacts) await this.#options.runs.fetchArtifact(artifact);
    return { run, cached, task: { planId, taskId }, inputs: recordedInputs(prepared) };
  }

  list(limit = 100): Promise<QueueReport> {
    return listQueue(this.#store, limit);
  }

  ended(limit: number): Promise<QueueEntry[]> {
    return listEnded(this.#store, limit);
  }

  async find(id: string): Promise<QueueEntry> {
    return describeQueued(this.#store, await findQueued(this.#db, id));
  }

  throughput(): ReturnType<typeof throughput> {
    return throughput(this.#store);
  }

  async retry(id: string): Promise<QueueEntry> {
    return describeQueued(this.#store, await retryQueued(this.#store, await this.#delivery(), id));
  }

  async retryAll(): Promise<QueueEntry[]> {
    const again = await retryDead(this.#store, await this.#delivery());
    return Promise.all(again.map((run) => describeQueued(this.#store, run)));
  }

  async cancel(id: string): Promise<QueueEntry> {
    return entryOf(await cancelQueued(this.#store, await this.#delivery(), id), []);
  }

  async worker({ tags = [], ...options }: WorkerOptions): Promise<QueueWorker> {
    const { skills, runs, project } = this.#options;
    const { leaseMs } = runTimes(project.env);
    this.#worker = await Boss.open(this.#db, { leaseMs, supervise: true });
    const parts = { store: this.#store, db: this.#db, contents: this.#contents, boss: this.#worker };
    return new QueueWorker({ ...parts, skills, runs, only: undefined, ...options, tags, leaseMs });
  }

  async close(): Promise<void> {
    await (await this.#follower?.catch(() => undefined))?.close();
    await (await this.#boss?.catch(() => undefined))?.close();
    await this.#worker?.close();
  }

  #delivery(): Promise<Boss> {
    this.#boss ??= Boss.open(this.#db, runTimes(this.#options.project.env));
    return this.#boss;
  }

  #tellReasons(waits: QueueWaits): (run: QueuedRun) => void {
    let last: string | null = null;
    let isBusy = false;
    return (run) => {
      if (run.state !== "WAITING" || isBusy) return;
      isBusy = true;
      void liveWorkers(this.#store)
        .then((workers) => {
          const reason = waitingReason(run, workers);
          if (reason !== null && reason !== last) waits(reason, run.id);
          last = reason;
        })
        .catch(() => undefined)
        .finally(() => {
          isBusy = false;
        });
    };
  }
}

function checkPriority(priority = 0): number {
  if (Number.isInteger(priority) && priority >= MIN_PRIORITY && priority <= MAX_PRIORITY) return priority;
  throw new KnackError(
    "INVALID_PARAM",
    `A priority is a whole number from ${MIN_PRIORITY} to ${MAX_PRIORITY}.`,
  );
}

function requirePostgres({ db }: Store): PostgresDatabase {
  if (isPostgresDatabase(db)) return db;
  throw new KnackError(
    "INVALID_PARAM",
    "The queue needs a PostgreSQL store, and this project's is SQLite. Set store.url to postgres://… in ~/.knack/config.yaml.",
  );
}
