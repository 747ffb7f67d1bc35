import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Registered } from "../../registry/register.ts";
import type { TypedSkills } from "../../registry/typed-skills.ts";
import { digestCode } from "../../run/prepare-run.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import { EngineError } from "../../shared/engine-error.ts";
import { holderText, interruptExpired } from "../../store/runs/claim.ts";
import type { Store } from "../../store/store.ts";
import type { Boss } from "../boss.ts";
import { laneOf, type Offer, queuedOf, versionOf } from "../queued-run.ts";
import { refuseQueued } from "./settle-queued.ts";

interface PresenceOptions {
  readonly store: Store;
  readonly boss: Boss;
  readonly concurrency: number;
  readonly tags: readonly string[];
  readonly leaseMs: number;
}

/** A worker's row, and what the rows of others say: who is alive, and whose runs are nobody's any more. */
export class Presence {
  readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 4)}`;
  readonly #options: PresenceOptions;
  readonly #startedAt: string;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#startedAt = options.store.now().toISOString();
  }

  /** Renews the lease, and says what is offered. Writes the row again if others took this worker for dead. */
  async renew(offers: readonly Offer[]): Promise<void> {
    const { store, concurrency, tags, leaseMs } = this.#options;
    await store.db.transaction(
      async (tx) => {
        const now = store.now();
        await tx.run(
          `INSERT INTO workers (worker_id, host, pid, concurrency, skills_json, tags_json, holder, started_at, seen_at,
             lease_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (worker_id) DO UPDATE SET skills_json = excluded.skills_json, holder = excluded.holder,
             seen_at = excluded.seen_at, lease_until = excluded.lease_until`,
          [
            this.id,
            hostname(),
            process.pid,
            concurrency,
            JSON.stringify(offers),
            JSON.stringify(tags),
            holderText(store, leaseMs),
            this.#startedAt,
            now.toISOString(),
            new Date(now.getTime() + leaseMs).toISOString(),
          ],
        );
      },
      { durable: false, key: this.id },
    );
  }

  /** Records what pg-boss took away from workers that died, and forgets these workers. Returns how many runs it were. */
  async sweep(): Promise<number> {
    const { store, boss, leaseMs } = this.#options;
    const rows = await store.db.all(
      `SELECT q.* FROM queued_runs q JOIN ${boss.jobs} j ON j.name = q.lane AND j.retry_count = q.attempts
         AND j.id = CASE WHEN q.job_id ~ '^[0-9a-f-]{36}$' THEN CAST(q.job_id AS uuid) END
       WHERE q.state = 'RUNNING' AND j.state IN ('retry', 'failed')`,
    );
    let count = 0;
    for (const queued of rows.map(queuedOf)) {
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

  async leave(): Promise<void> {
    await this.#options.store.db.run("DELETE FROM workers WHERE worker_id = ?", [this.id]);
  }
}

const WORKER_GONE = { code: "EXECUTION_ERROR", message: "Its worker ended while it ran it." };

export interface Offered {
  readonly offers: readonly Offer[];
  readonly lanes: ReadonlyMap<string, string>;
}

export interface OfferOptions {
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  /** Only these; all without it. */
  readonly only: readonly string[] | undefined;
  readonly tags: readonly string[];
}

/** What this machine would run now: its own typed skills whose code its user approved, as policy and options allow. */
export async function offersNow({ skills, runs, only, tags }: OfferOptions): Promise<Offered> {
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

async function offerOf(
  registered: Registered,
  runs: SkillRuns,
  only: readonly string[] | undefined,
): Promise<Offer | undefined> {
  const { skill } = registered;
  try {
    const code = await digestCode(registered);
    const { digest } = versionOf(skill, code.digest);
    const not =
      (only && !only.includes(skill.name) && "skills") ||
      ((await isRefused(runs.checkTrust(skill.name))) && "trust") ||
      ((await isRefused(runs.refuseForbidden(skill.name))) && "policy") ||
      null;
    return { skill: skill.name, digest, not };
  } catch (error) {
    // Code that cannot be read is not offered; "knack registry" says what is wrong with it.
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

async function isRefused(check: Promise<unknown>): Promise<boolean> {
  return check.then(
    () => false,
    (error: unknown) => {
      if (error instanceof EngineError) return true;
      throw error;
    },
  );
}
