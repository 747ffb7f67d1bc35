import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isStoreError, KnackError } from "@knack/core/text";
import type { Contents } from "../../contents/contents.ts";
import type { Registered, TypedSkills } from "../../registry/typed-skills.ts";
import { digestCode } from "../../run/prepare-run.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import { insertRow } from "../../store/database.ts";
import type { PostgresDatabase } from "../../store/postgres/postgres.ts";
import { holderText, interruptExpired } from "../../store/runs/claim.ts";
import type { Store } from "../../store/store.ts";
import type { Boss } from "../boss.ts";
import {
  findQueuedRuns,
  laneOf,
  type Offer,
  QUEUED_COLUMNS,
  type QueuedRun,
  queuedOf,
  versionOf,
} from "../queued-run.ts";
import { Alarm, Listener } from "../signals.ts";
import { type QueuedEnd, refuseQueued, runQueued } from "./run-queued.ts";

/** Records what pg-boss took away from workers that died, and forgets these workers. Returns how many runs it were. */
async function sweepWorkers(store: Store, boss: Boss, leaseMs: number): Promise<number> {
  const runs = await findQueuedRuns(
    store.db,
    `JOIN ${boss.jobs} j ON j.name = q.lane AND j.retry_count = q.attempts
       AND j.id = CASE WHEN q.job_id ~ '^[0-9a-f-]{36}$' THEN CAST(q.job_id AS uuid) END
     WHERE q.state = 'RUNNING' AND j.state IN ('retry', 'failed')`,
  );
  let count = 0;
  for (const queued of runs) {
    await boss.ready(queued.lane);
    if (await refuseQueued({ store, boss, queued }, WORKER_GONE, false)) count++;
  }
  // For three leases a worker that died is shown as gone, so that people can see what happened.
  const long = new Date(store.now().getTime() - 2 * leaseMs).toISOString();
  await store.db.run("DELETE FROM workers WHERE lease_until < ?", [long]);
  // Also of runs that nobody would claim again, because they are not cached.
  await interruptExpired(store);
  return count;
}

const WORKER_GONE = { code: "EXECUTION_ERROR", message: "Its worker ended while it ran it." };

interface Offered {
  readonly offers: readonly Offer[];
  /** The lanes that the worker takes runs from, and the skill of each. */
  readonly lanes: ReadonlyMap<string, string>;
}

interface OfferOptions {
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  /** Only these; all without it. */
  readonly only: readonly string[] | undefined;
  readonly tags: readonly string[];
}

/** What this machine would run now: its own typed skills whose code its user approved, as policy and options allow. */
async function offersNow({ skills, runs, only, tags }: OfferOptions): Promise<Offered> {
  await skills.reload();
  const { registered } = await skills.current();
  const offers: Offer[] = [];
  const lanes = new Map<string, string>();
  for (const one of registered.values()) {
    const offer = await offerOf(one, runs, only);
    if (!offer) continue;
    offers.push(offer);
    const needs = one.skill.tags;
    if (offer.not === null && needs.every((tag) => tags.includes(tag)))
      lanes.set(laneOf({ ...offer, tags: needs }), offer.skill);
  }
  return { offers, lanes };
}

/** `undefined` for code that cannot be read; "knack registry" says what is wrong with it. */
async function offerOf(registered: Registered, runs: SkillRuns, only: readonly string[] | undefined) {
  const { name } = registered.skill;
  const code = await unlessRefused(digestCode(registered));
  if (!code) return undefined;
  const { digest } = versionOf(registered.skill, code.digest);
  const offer = (not: Offer["not"]): Offer => ({ skill: name, digest, not });
  if (only && !only.includes(name)) return offer("skills");
  if (!(await unlessRefused(runs.checkTrust(name)))) return offer("trust");
  if (!(await unlessRefused(runs.refuseForbidden(name)))) return offer("policy");
  return offer(null);
}

function unlessRefused<T>(check: Promise<T>): Promise<T | undefined> {
  return check.catch((error: unknown) => {
    if (!(error instanceof KnackError) || isStoreError(error)) throw error;
    return undefined;
  });
}

/** Where to look first: the lane whose next run has the highest priority, then the earliest turn. */
async function nextLane(store: Store, lanes: readonly string[]): Promise<string | undefined> {
  if (lanes.length === 0) return undefined;
  const row = await store.db.get(
    `SELECT l.lane FROM (VALUES ${lanes.map(() => "(?)").join(", ")}) AS l (lane) CROSS JOIN LATERAL
       (SELECT priority, turn FROM queued_runs q WHERE q.lane = l.lane AND q.state IN ('WAITING', 'FAILED')
        ORDER BY priority DESC, turn LIMIT 1) AS first
     ORDER BY first.priority DESC, first.turn LIMIT 1`,
    lanes,
  );
  return row && String(row.lane);
}

/** Takes the next runs of a lane: the jobs and their rows in one transaction, so that a worker that dies has both or neither. */
async function takeRuns(store: Store, boss: Boss, lane: string, count: number, workerId: string) {
  return store.db.transaction(
    async (tx) => {
      const jobs = await boss.take(tx, lane, count);
      if (jobs.length === 0) return [];
      const rows = await tx.all(
        `UPDATE queued_runs q SET state = 'RUNNING', attempts = j.tries, worker_id = ?, started_at = ?, finished_at = NULL
         FROM (VALUES ${jobs.map(() => "(?, ?, CAST(? AS INTEGER))").join(", ")}) AS j (queue_id, job_id, tries)
         WHERE q.queue_id = j.queue_id AND q.job_id = j.job_id AND q.state IN ('WAITING', 'FAILED', 'RUNNING')
         RETURNING ${QUEUED_COLUMNS}`,
        [
          workerId,
          store.now().toISOString(),
          ...jobs.flatMap(({ id, data, retryCount }) => [data.queue_id, id, retryCount]),
        ],
      );
      const taken = new Map(rows.map(queuedOf).map((queued) => [queued.jobId, queued]));
      return jobs.flatMap(({ id }) => taken.get(id) ?? []);
    },
    { durable: false, key: `take ${workerId}` },
  );
}

const LOOK_MS = 1000;

/** What a worker does, for people who watch it. */
export type WorkerEvent =
  | { readonly event: "ready"; readonly worker: string; readonly lanes: number }
  | { readonly event: "start"; readonly queued: QueuedRun }
  | { readonly event: "end"; readonly queued: QueuedRun; readonly end: QueuedEnd; readonly ms: number }
  | { readonly event: "taken-over"; readonly count: number }
  | { readonly event: "away" | "back" }
  /** Something failed that is tried again; told once until it works. */
  | { readonly event: "trouble"; readonly message: string };

interface QueueWorkerOptions extends OfferOptions {
  readonly store: Store;
  readonly db: PostgresDatabase;
  readonly contents: Contents;
  readonly boss: Boss;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly tell: (event: WorkerEvent) => void;
}

interface InFlight {
  readonly queued: QueuedRun;
  readonly abort: AbortController;
  runId?: string;
}

export class QueueWorker {
  readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 4)}`;
  readonly #options: QueueWorkerOptions;
  readonly #startedAt: string;
  /** A run that was cancelled and queued again may be here twice until its first try has ended. */
  readonly #inFlight = new Set<InFlight>();
  #offered: Offered = { offers: [], lanes: new Map() };
  #trouble: string | undefined;
  #isStopping = false;
  readonly #alarm = new Alarm();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
    this.#startedAt = options.store.now().toISOString();
  }

  /** Works until `stop`, then waits for the runs that it has. */
  async work(): Promise<void> {
    const { db, store, tell } = this.#options;
    const listener = await Listener.open(db, {
      onSignal: (kind, name) => {
        if (kind === "lane" && this.#offered.lanes.has(name)) this.#alarm.wake();
        if (kind === "cancel") this.#cancel(new Set([name]));
      },
      connected: (isBack) => {
        tell({ event: isBack ? "back" : "away" });
        this.#alarm.wake();
      },
    });
    try {
      await this.#renew();
      tell({ event: "ready", worker: this.id, lanes: this.#offered.lanes.size });
      while (!this.#isStopping) {
        await this.#turn().then(
          () => {
            this.#trouble = undefined;
          },
          (error: unknown) => this.#tellTrouble(error),
        );
        await this.#sleep();
      }
      // Until they have ended, the runs in flight are renewed and recorded as before; so is the row of this worker.
      while (this.#inFlight.size > 0) {
        await this.#sleep();
        await this.#renewIfDue().catch(() => undefined);
        await this.#sweepIfDue().catch(() => undefined);
      }
    } finally {
      await store.db.run("DELETE FROM workers WHERE worker_id = ?", [this.id]).catch(() => undefined);
      await listener.close();
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.#alarm.wake();
  }

  /** Ends the runs too; others get them. */
  abort(): void {
    this.stop();
    for (const { abort } of this.#inFlight) abort.abort(new Error("The worker is ending."));
  }

  /** What is due, then as many runs as there is room for. One after the other: a sweep must not meet a run half taken. */
  async #turn(): Promise<void> {
    const { store, boss } = this.#options;
    await this.#renewIfDue();
    await this.#sweepIfDue();
    const dry = new Set<string>();
    while (!this.#isStopping) {
      const room = this.#options.concurrency - this.#inFlight.size;
      if (room <= 0) return;
      const lanes = [...this.#offered.lanes.keys()].filter((lane) => !dry.has(lane));
      const lane = lanes.length > 1 ? await nextLane(store, lanes) : lanes[0];
      if (lane === undefined) return;
      await boss.ready(lane);
      const taken = await takeRuns(store, boss, lane, room, this.id);
      for (const queued of taken) this.#start(queued);
      if (taken.length < room) dry.add(lane);
    }
  }

  #start(queued: QueuedRun): void {
    const flight: InFlight = { queued, abort: new AbortController() };
    this.#inFlight.add(flight);
    this.#options.tell({ event: "start", queued });
    void this.#run(flight).finally(() => {
      this.#inFlight.delete(flight);
      this.#alarm.wake();
    });
  }

  async #run(flight: InFlight): Promise<void> {
    const { queued } = flight;
    const { store, contents, boss, runs, tell } = this.#options;
    const began = performance.now();
    const end = await runQueued(this.#offered.lanes.get(queued.lane), queued, {
      store: { ...store, actor: `worker ${this.id}` },
      contents,
      boss,
      runs,
      signal: flight.abort.signal,
      started: (runId) => {
        flight.runId = runId;
      },
    }).catch((error: unknown): QueuedEnd => {
      // The end could not be written.
      return { how: "lost", error: { code: "EXECUTION_ERROR", message: String(error) } };
    });
    tell({ event: "end", queued, end, ms: performance.now() - began });
    if (end.how === "ended") return;
    // What was offered a moment ago may be untrusted or denied now, and then others can have it.
    if (end.how === "refused") await this.#renew().catch(() => undefined);
    const isFinal = end.how === "refused" && this.#offered.lanes.has(queued.lane);
    // If this fails too, pg-boss notices that nobody touches the job.
    await refuseQueued({ store, boss, queued }, end.error, isFinal).catch(() => undefined);
  }

  /** The run is recorded as cancelled; one that waits for another process only stops waiting. */
  #cancel(jobs: ReadonlySet<string>): void {
    for (const { queued, abort, runId } of this.#inFlight) {
      if (!jobs.has(queued.jobId)) continue;
      const run = runId === undefined ? undefined : this.#options.runs.live.get(runId);
      if (run) run.cancel();
      else abort.abort(new Error("The run was cancelled."));
    }
  }

  async #renewIfDue(): Promise<void> {
    if (performance.now() - this.#renewedAt >= this.#options.leaseMs / 3) await this.#renew();
  }

  /** Renews the lease of this worker, and says what it offers. Writes its row again if others took it for dead. */
  async #renew(): Promise<void> {
    const { store, concurrency, tags, leaseMs } = this.#options;
    this.#offered = await offersNow(this.#options);
    await store.db.transaction(
      async (tx) => {
        const now = store.now();
        const row = {
          worker_id: this.id,
          host: hostname(),
          pid: process.pid,
          concurrency,
          skills_json: JSON.stringify(this.#offered.offers),
          tags_json: JSON.stringify(tags),
          holder: holderText(store, leaseMs),
          started_at: this.#startedAt,
          seen_at: now.toISOString(),
          lease_until: new Date(now.getTime() + leaseMs).toISOString(),
        };
        const end = `ON CONFLICT (worker_id) DO UPDATE SET skills_json = excluded.skills_json, holder = excluded.holder,
          seen_at = excluded.seen_at, lease_until = excluded.lease_until`;
        await insertRow(tx, "workers", row, end);
      },
      { durable: false, key: this.id },
    );
    this.#renewedAt = performance.now();
  }

  async #sweepIfDue(): Promise<void> {
    if (performance.now() - this.#sweptAt < LOOK_MS) return;
    this.#sweptAt = performance.now();
    // A run that is not ours any more was cancelled, or others have it.
    const { store, boss, leaseMs, tell } = this.#options;
    this.#cancel(await boss.touch([...this.#inFlight].map(({ queued }) => queued)));
    const count = await sweepWorkers(store, boss, leaseMs);
    if (count > 0) tell({ event: "taken-over", count });
  }

  #tellTrouble(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#trouble) this.#options.tell({ event: "trouble", message });
    this.#trouble = message;
  }

  #sleep(): Promise<void> {
    return this.#alarm.sleep(Math.min(LOOK_MS, this.#options.leaseMs / 3));
  }
}
