import { userInfo } from "node:os";
import type { Contents } from "../contents/contents.ts";
import { keepInput } from "../contents/keep-input.ts";
import { SettledRefusal } from "../plan/tasks.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import type { PreparedRun } from "../run/prepare-run.ts";
import type { FinishedRun, RunBinding } from "../run/run-skill.ts";
import { type InnerRequest, runTimes, type SkillRuns } from "../run/skill-runs.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import { isPostgresDatabase } from "../store/open-store.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { Boss } from "./boss.ts";
import {
  cancelQueued,
  enqueue,
  findQueued,
  type NewQueued,
  refuseSecrets,
  retryDead,
  retryQueued,
} from "./change-queue.ts";
import {
  describeQueued,
  entryOf,
  listEnded,
  listQueue,
  type QueueEntry,
  type QueueReport,
  reasonFor,
  throughput,
} from "./list-queue.ts";
import { MAX_PRIORITY, MIN_PRIORITY, type QueuedRun, queuedOf, versionOf } from "./queued-run.ts";
import { Follower } from "./signals.ts";
import { QueueWorker, type WorkerEvent } from "./work/queue-worker.ts";

export interface RunQueueOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  readonly store: Store;
  /** Where the machines of a team exchange files: every store on PostgreSQL has it. */
  readonly contents: Contents | null;
}

export interface WorkerOptions {
  readonly concurrency: number;
  /** Names of typed skills; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tell: (event: WorkerEvent) => void;
}

export interface QueueRequest extends InnerRequest {
  readonly priority?: number | undefined;
  /** Whether the end of the run is the end of its task. */
  readonly isOwnRun?: boolean;
}

/** Called with the reason why nobody takes a run, and the id of the run; each reason once. */
export type QueueWaits = (reason: string, id: string) => void;

export type Queued =
  | { readonly queued: QueuedRun; readonly prepared: PreparedRun; readonly served: null }
  | { readonly queued: null; readonly prepared: PreparedRun; readonly served: FinishedRun };

export class RunQueue {
  readonly #options: RunQueueOptions;
  readonly #db: PostgresDatabase;
  readonly #contents: Contents;
  #boss: Promise<Boss> | undefined;
  #worker: Boss | undefined;
  #follower: Promise<Follower> | undefined;

  constructor(options: RunQueueOptions) {
    this.#options = options;
    this.#db = requirePostgres(options.store);
    if (!options.contents) throw new Error("A store on PostgreSQL has no place for files.");
    this.#contents = options.contents;
  }

  /** Queues a run, unless an earlier run has its result. The same run of a task is queued once. */
  async enqueue(name: string, request: QueueRequest, bind: () => Promise<RunBinding>): Promise<Queued> {
    const priority = checkPriority(request.priority);
    const binding = await bind();
    const { prepared, served } = await this.#options.runs.prepareOrServe(name, request, async () => binding);
    if (served) return { queued: null, prepared, served };
    const { store } = this.#options;
    const queuedBy = request.actor ?? `${userName(this.#options.project.env)} (${store.actor})`;
    const { planId, taskId } = binding.task;
    const run = newQueued(prepared, {
      planId,
      taskId,
      priority,
      queuedBy,
      isOwnRun: request.isOwnRun === true,
    });
    const open = await this.#openRun(run);
    if (open) return { queued: open, prepared, served: null };
    // It may have ended between the two questions.
    const ended =
      taskId === null ? null : await this.#options.runs.prepareOrServe(name, request, async () => binding);
    if (ended?.served) return { queued: null, prepared, served: ended.served };
    for (const { file, path, sha256 } of prepared.inputs)
      if ((await keepInput(this.#contents, file)).sha256 !== sha256)
        throw new EngineError("CONFLICT", `${path} changed while it was being read; try again.`);
    const id = await enqueue(store, await this.#delivery(), run);
    return { queued: await findQueued(store, id), prepared, served: null };
  }

  /** Waits for the end of a run, and brings its artifacts to this machine. An abort only ends the waiting. */
  async follow(
    { queued, prepared, served }: Queued,
    signal: AbortSignal,
    waits?: QueueWaits,
  ): Promise<FinishedRun> {
    if (served) return served;
    this.#follower ??= Follower.open(this.#db);
    const follower = await this.#follower;
    const ended = await follower.ended(queued.id, signal, waits && this.#tellReasons(waits));
    const finished = await this.#finished(ended, prepared);
    for (const artifact of finished.run.artifacts) await this.#options.runs.fetchArtifact(artifact);
    return finished;
  }

  list(limit = 100): Promise<QueueReport> {
    return listQueue(this.#options.store, limit);
  }

  ended(limit: number): Promise<QueueEntry[]> {
    return listEnded(this.#options.store, limit);
  }

  async find(id: string): Promise<QueueEntry> {
    const { store } = this.#options;
    return describeQueued(store, await findQueued(store, id));
  }

  throughput(): ReturnType<typeof throughput> {
    return throughput(this.#options.store);
  }

  async retry(id: string): Promise<QueueEntry> {
    const { store } = this.#options;
    return describeQueued(store, await retryQueued(store, await this.#delivery(), id));
  }

  async retryAll(): Promise<QueueEntry[]> {
    const { store } = this.#options;
    const again = await retryDead(store, await this.#delivery());
    return Promise.all(again.map((run) => describeQueued(store, run)));
  }

  async cancel(id: string): Promise<QueueEntry> {
    return entryOf(await cancelQueued(this.#options.store, await this.#delivery(), id), []);
  }

  async worker({ concurrency, only, tags = [], tell }: WorkerOptions): Promise<QueueWorker> {
    const { store, skills, runs, project } = this.#options;
    const { leaseMs } = runTimes(project.env);
    const boss = await Boss.open(this.#db, { leaseMs, supervise: true });
    this.#worker = boss;
    const parts = { store, db: this.#db, contents: this.#contents, boss, skills, runs, live: runs.live };
    return new QueueWorker({ ...parts, only, tags, concurrency, leaseMs, tell });
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

  /** A run of the same task with the same key that has not ended: `plan run --queue` again goes on with it. */
  async #openRun({ planId, taskId, request }: NewQueued): Promise<QueuedRun | undefined> {
    if (planId === null || taskId === null) return undefined;
    const rows = await this.#options.store.db.all(
      `SELECT * FROM queued_runs WHERE plan_id = ? AND task_id = ? AND state IN ('WAITING', 'RUNNING', 'FAILED')`,
      [planId, taskId],
    );
    return rows.map(queuedOf).find((run) => run.request.key === request.key);
  }

  async #finished(ended: QueuedRun, { inputs }: PreparedRun): Promise<FinishedRun> {
    const { id, runId, error, cached } = ended;
    const run = runId === null ? null : await getRun(this.#options.store.db, runId);
    if (ended.state === "CANCELLED")
      throw new SettledRefusal("CONFLICT", `The queued run ${id} was cancelled.`, "READY");
    if (run) return { run, cached, task: { planId: ended.planId, taskId: ended.taskId }, inputs };
    const code =
      error?.code === "INVALID_PARAM" || error?.code === "NOT_FOUND" ? error.code : "EXECUTION_ERROR";
    throw new SettledRefusal(
      code,
      error?.message ?? `The queued run ${id} ended without a record.`,
      "FAILED",
    );
  }

  #tellReasons(waits: QueueWaits): (run: QueuedRun) => void {
    let last: string | null = null;
    let isBusy = false;
    return (run) => {
      if (run.state !== "WAITING" || isBusy) return;
      isBusy = true;
      void reasonFor(this.#options.store, run)
        .then((reason) => {
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

function newQueued(
  { skill, code, inputs, params, key }: PreparedRun,
  more: Pick<NewQueued, "planId" | "taskId" | "priority" | "queuedBy"> & { readonly isOwnRun: boolean },
): NewQueued {
  refuseSecrets(skill.name, params);
  const { isOwnRun, ...rest } = more;
  const version = versionOf(skill, code.digest);
  const files = inputs.map(({ role, path, sha256, size }) => ({ role, path, sha256, size }));
  return { ...rest, version, request: { params, inputs: files, key, digest: version.digest, isOwnRun } };
}

/** A container may run as a user that the system does not know. */
function userName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? "unknown";
  }
}

function checkPriority(priority = 0): number {
  if (Number.isInteger(priority) && priority >= MIN_PRIORITY && priority <= MAX_PRIORITY) return priority;
  throw new EngineError(
    "INVALID_PARAM",
    `A priority is a whole number from ${MIN_PRIORITY} to ${MAX_PRIORITY}.`,
  );
}

function requirePostgres({ db }: Store): PostgresDatabase {
  if (isPostgresDatabase(db)) return db;
  throw new EngineError(
    "INVALID_PARAM",
    "The queue needs a PostgreSQL store, and this project's is SQLite. Set store.url to postgres://…; see docs/team.md.",
  );
}
