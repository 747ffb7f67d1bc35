import { isStoreError, KnackError } from "@knack/core/text";
import type { Registered } from "../../registry/register.ts";
import type { TypedSkills } from "../../registry/typed-skills.ts";
import { digestCode } from "../../run/prepare-run.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import { interruptExpired } from "../../store/runs/claim.ts";
import type { Store } from "../../store/store.ts";
import type { Boss } from "../boss.ts";
import { findQueuedRuns, laneOf, type Offer, versionOf } from "../queued-run.ts";
import { refuseQueued } from "./run-queued.ts";

/** Records what pg-boss took away from workers that died, and forgets these workers. Returns how many runs it were. */
export async function sweepWorkers(store: Store, boss: Boss, leaseMs: number): Promise<number> {
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

export interface Offered {
  readonly offers: readonly Offer[];
  /** The lanes that the worker takes runs from, and the skill of each. */
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

/** `undefined` for code that cannot be read; "knack registry" says what is wrong with it. */
async function offerOf(
  registered: Registered,
  runs: SkillRuns,
  only: readonly string[] | undefined,
): Promise<Offer | undefined> {
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
