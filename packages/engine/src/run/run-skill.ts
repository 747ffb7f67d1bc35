import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClaimRequest, claimRun } from "../store/claim.ts";
import { type Alongside, failRun, finishRun, recordCachedRun } from "../store/finish.ts";
import { newId } from "../store/new-id.ts";
import type { SkillRun } from "../store/skill-run.ts";
import type { Store, TaskRef } from "../store/store.ts";
import { waitForRun } from "../store/wait-for-run.ts";
import { brokenArtifacts } from "./broken-artifacts.ts";
import { executeSkill } from "./execute-skill.ts";
import type { RunOptions } from "./held.ts";
import { keepLease } from "./keep-lease.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { PreparedRun } from "./prepare-run.ts";

/** What belongs to the task that a run is for; the plan stage computes it. */
export interface RunBinding {
  readonly task: TaskRef;
  /** Called when the skill is really executed, and not for a result from before. */
  started(run: SkillRun): Promise<void>;
  /** Evidence and task changes for the transaction of this run. */
  alongside(run: SkillRun | null, outcome: RunOutcome): Promise<Alongside>;
}

interface RunOutcome {
  readonly runId: string;
  readonly skill: string;
  readonly succeeded: boolean;
  readonly evidences: SkillRun["evidences"];
}

export interface FinishedRun {
  readonly run: SkillRun;
  readonly cached: boolean;
  /** Why an earlier success was not served, for `--explain`. */
  readonly healed: readonly string[];
}

/** A run that belongs to no task. */
export const NO_TASK: RunBinding = {
  task: { planId: null, taskId: null },
  started: async () => undefined,
  alongside: async () => ({}),
};

/** So many times a key is asked for again before something else must be wrong. */
const MAX_ROUNDS = 100;

/**
 * The eight steps of document 003 §5. Whoever holds the key executes; everybody else waits for that result. A success is
 * served again only whole: where an artifact is lost or changed, the skill runs again and the file is made anew.
 */
export async function runSkill(
  store: Store,
  prepared: PreparedRun,
  binding: RunBinding,
  options: RunOptions,
): Promise<FinishedRun> {
  const broken: SkillRun[] = [];
  const healed: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    options.signal.throwIfAborted();
    const request = claimRequest(store, prepared, binding, options, broken);
    const { state, run } = await claimRun(store, request);
    if (state === "claimed") {
      const finished = await hold(store, prepared, binding, options, run, broken[0] ?? null);
      if (finished) return { run: finished, cached: false, healed };
      continue; // The lease was lost; somebody else has the key now, or nobody.
    }
    if (state === "running") {
      await waitForRun(store, run.id, options.signal);
      continue;
    }
    const wrong = await brokenArtifacts(run.artifacts, options.projectRoot);
    if (wrong.length === 0) {
      const outcome = { runId: run.id, skill: run.skill, succeeded: true, evidences: run.evidences };
      await recordCachedRun(store, run, binding.task, await binding.alongside(run, outcome));
      return { run, cached: true, healed };
    }
    broken.push(run);
    healed.push(...wrong);
  }
  throw new Error(`The key ${prepared.key} was claimed ${MAX_ROUNDS} times in vain.`);
}

function claimRequest(
  store: Store,
  prepared: PreparedRun,
  { task }: RunBinding,
  { leaseMs }: RunOptions,
  broken: readonly SkillRun[],
): ClaimRequest {
  const { skill, implementation, inputs, params, key, caching } = prepared;
  return {
    ...task,
    id: newId(store.now()),
    skill: skill.name,
    skillVersion: skill.version,
    implementation: implementation.stated,
    implementationDigest: implementation.digest,
    key,
    caching,
    excludingIds: broken.map(({ id }) => id),
    inputs: inputs.map(({ role, kind, path, sha256, size }) => ({
      role,
      kind,
      path,
      sha256,
      size_bytes: size,
    })),
    params: maskSecrets(params),
    leaseMs,
  };
}

/** Executes while the lease is kept, and records what came of it. `null` where the lease was lost meanwhile. */
async function hold(
  store: Store,
  prepared: PreparedRun,
  binding: RunBinding,
  options: RunOptions,
  run: SkillRun,
  /** The success whose artifacts have to be made again where they were. */
  before: SkillRun | null,
): Promise<SkillRun | null> {
  const folder = await mkdtemp(join(tmpdir(), "knack-run-"));
  const lease = keepLease(store, run.id, options.leaseMs, options.signal);
  try {
    await binding.started(run);
    const timeoutMs =
      prepared.skill.timeoutSeconds === null ? options.timeoutMs : prepared.skill.timeoutSeconds * 1000;
    const executed = await executeSkill(prepared, {
      ...options,
      timeoutMs,
      run,
      before,
      folder,
      signal: lease.signal,
    });
    const outcome = {
      runId: run.id,
      skill: run.skill,
      succeeded: executed.error === null,
      evidences: executed.error === null ? executed.evidences : [],
    };
    const more = await binding.alongside(run, outcome);
    const { isolation, logTail } = executed;
    const { state, run: recorded } =
      executed.error === null
        ? await finishRun(
            store,
            run.id,
            { isolation, logTail, artifacts: executed.artifacts, evidences: executed.evidences },
            more,
          )
        : await failRun(store, run.id, { isolation, logTail, error: executed.error }, more);
    return state === "recorded" ? recorded : null;
  } catch (error) {
    if (!options.signal.aborted) throw error;
    const stopped = { code: "SKILL_INTERRUPTED", message: "The run was cancelled." };
    await failRun(store, run.id, { isolation: null, logTail: "", error: stopped });
    throw error;
  } finally {
    lease.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
