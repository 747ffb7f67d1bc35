import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { span } from "@knack/core/telemetry";
import { isStoreError } from "@knack/core/text";
import { ownName, RUN_FOLDER } from "../artifacts/temporary.ts";
import { runRecord } from "../audit/run-record.ts";
import type { Guest } from "../isolate/guest.ts";
import {
  type Claim,
  claimRun,
  type LeaseSeen,
  readHolder,
  renewLease,
  waitForRun,
} from "../store/runs/claim.ts";
import { type Alongside, finishRun, type KeptEdit, recordCachedRun } from "../store/runs/finish.ts";
import { isTakenPath } from "../store/runs/outputs.ts";
import { latestSuccess, type RunArtifact, type SkillRun } from "../store/runs/runs.ts";
import { newId, type Store, type TaskRef } from "../store/store.ts";
import { artifactFetcher, brokenArtifacts, isOursOf, keepOutputs } from "./artifact-contents.ts";
import type { ClaimedRun, ClaimedRunOptions } from "./claimed-run.ts";
import { executeSkill } from "./execute-skill.ts";
import { ownOf, refuseOwnKey, within } from "./lineage.ts";
import { tellStart } from "./live-runs.ts";
import { type PreparedRun, recordedInputs } from "./prepare-run.ts";
import { maskSecrets, redactResult, secretHider } from "./redact-result.ts";

/** What belongs to the task that a run is for; the plan stage computes it. */
export interface RunBinding {
  readonly task: TaskRef;
  /** Called when the skill is really executed, and not for a result from before. */
  started(run: SkillRun): Promise<void>;
  /** Evidence and task changes for the transaction of this run. */
  alongside(run: SkillRun, outcome: RunOutcome): Alongside | undefined;
}

export interface RunOutcome {
  readonly succeeded: boolean;
  readonly evidences: SkillRun["evidences"];
  readonly artifacts: readonly Pick<RunArtifact, "name" | "path" | "sha256">[];
  /** Somebody cancelled it: that says nothing about the task. */
  readonly cancelled?: boolean;
}

export interface FinishedRun {
  readonly run: SkillRun;
  readonly cached: boolean;
  /** The task that was asked for: that of a cached run may have been another. */
  readonly task: TaskRef;
  /** As they were asked for: those of a cached run may have been other files with the same bytes. */
  readonly inputs: SkillRun["inputs"];
  /** Why an earlier success was not served; nothing where none was there. */
  readonly healed?: readonly string[];
  /** What a user had edited in the place of an artifact, and where it is kept. */
  readonly kept?: readonly KeptEdit[];
}

export const NO_TASK: RunBinding = {
  task: { planId: null, taskId: null },
  started: async () => undefined,
  alongside: () => undefined,
};

/** So many times a key is asked for again before something else must be wrong. */
const MAX_ROUNDS = 100;
/** A wait that is shorter is not told. */
const TELL_AFTER_MS = 1000;

/** The holder of the key executes; everybody else waits for that. A success is reused only if its artifacts are unchanged. */
export async function runSkill(
  store: Store,
  prepared: PreparedRun,
  binding: RunBinding,
  options: ClaimedRunOptions,
): Promise<FinishedRun> {
  const inputs = recordedInputs(prepared);
  refuseOwnKey(prepared, options.lineage);
  const { task } = binding;
  const broken: SkillRun[] = [];
  const healed: string[] = [];
  const keptBefore: KeptEdit[] = [];
  const abandoned: LeaseSeen[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    options.signal.throwIfAborted();
    const { state, run } = await span("run.claim", {}, async (traced) => {
      const claim = await successOrClaim(store, prepared, binding, options, broken, abandoned);
      traced.set({ "knack.claim.state": claim.state });
      return claim;
    });
    if (state !== "succeeded") tellStart(run);
    if (state === "claimed") {
      const finished = await hold(store, prepared, binding, options, run, broken[0] ?? null);
      const kept = [...keptBefore, ...(finished?.kept ?? [])];
      if (finished) return { ...finished, cached: false, task, inputs, healed, kept };
      continue; // The lease was lost; somebody else has the key now, or nobody.
    }
    if (state === "running") {
      const { leaseMs, signal } = options;
      const telling = setTimeout(() => options.onWait?.(waitingFor(run)), TELL_AFTER_MS);
      const waited = await waitForRun(store, run.id, signal, { leaseMs }).finally(() =>
        clearTimeout(telling),
      );
      if (waited.abandoned) abandoned.push(waited.abandoned);
      else if (waited.run && isAnswer(waited.run, binding))
        return { run: waited.run, cached: false, task, inputs, healed };
      continue;
    }
    const { wrong, kept, artifacts } = await serveSuccess(store, run, prepared, binding, options);
    if (wrong.length === 0) return { run, cached: true, task, inputs, healed, kept };
    broken.push({ ...run, artifacts: await artifacts() });
    healed.push(...wrong);
    keptBefore.push(...kept);
  }
  throw new Error(`The run with the key ${prepared.key} could not be claimed in ${MAX_ROUNDS} tries.`);
}

/** Records that an earlier success is the result, unless something of it is `wrong`. */
export async function serveSuccess(
  store: Store,
  run: SkillRun,
  prepared: PreparedRun,
  binding: RunBinding,
  place: Pick<ClaimedRunOptions, "contents" | "projectRoot" | "leftovers">,
): Promise<{
  readonly wrong: readonly string[];
  readonly kept: readonly KeptEdit[];
  readonly artifacts: () => Promise<SkillRun["artifacts"]>;
}> {
  // Never serve a result that the log does not confirm: a row and its file may have been edited together.
  const { doubt, artifacts } = await runRecord(store.db, run.id);
  const { broken: wrong, kept } = doubt
    ? { broken: [doubt], kept: [] }
    : await brokenArtifacts(run.artifacts, place.projectRoot, artifactFetcher(store, prepared, place));
  if (wrong.length === 0) {
    const { evidences, artifacts: made } = run;
    await span("run.record", {}, async () => {
      const alongside = binding.alongside(run, { succeeded: true, evidences, artifacts: made });
      const asked = { ...binding.task, inputs: recordedInputs(prepared) };
      await recordCachedRun(store, run, asked, alongside, kept);
    });
  }
  return { wrong, kept, artifacts };
}

/** Whether a failure counts for those who waited too: not if it was cut off, and not for a task, which has its own try. */
function isAnswer({ status, error }: SkillRun, { task }: RunBinding): boolean {
  return status === "FAILED" && error?.code !== "SKILL_INTERRUPTED" && task.taskId === null;
}

function waitingFor({ skill, holder, startedAt }: SkillRun): string {
  const pid = readHolder(holder)?.pid;
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return `Waiting for ${who}, which has been running ${skill} with the same inputs since ${startedAt}.`;
}

/** A success that is there needs no claim, and a look at it no lock. */
async function successOrClaim(
  store: Store,
  prepared: PreparedRun,
  binding: RunBinding,
  options: ClaimedRunOptions,
  broken: readonly SkillRun[],
  abandoned: readonly LeaseSeen[],
): Promise<Claim> {
  const success =
    prepared.caching && broken.length === 0 ? await latestSuccess(store.db, prepared.key) : null;
  if (success) return { state: "succeeded", run: success };
  const { skill, code, params, key, caching } = prepared;
  return claimRun(store, {
    ...binding.task,
    id: newId(store.now()),
    skill: skill.name,
    skillVersion: skill.version,
    implementation: skill.implementation,
    implementationDigest: code.digest,
    key,
    caching,
    excludingIds: broken.map(({ id }) => id),
    inputs: recordedInputs(prepared),
    params: maskSecrets(params),
    leaseMs: options.leaseMs,
    abandoned,
  });
}

/** Executes while it renews the lease, and records the outcome. `null` if the lease was lost. */
async function hold(
  store: Store,
  prepared: PreparedRun,
  binding: RunBinding,
  options: ClaimedRunOptions,
  run: SkillRun,
  /** The success whose artifacts have to be made again where they were. */
  before: SkillRun | null,
): Promise<Pick<FinishedRun, "run" | "kept"> | null> {
  const temporary = tmpdir();
  const { executable } = prepared.implementation;
  const live = options.live.begin(run, secretHider(prepared), options.onLog);
  const signal = AbortSignal.any([options.signal, live.signal]);
  const lease = keepLease(store, run.id, options.leaseMs, signal);
  const parses = executable.kind === "builtin" && executable.parses;
  let guest: Guest | null = null;
  let folder: string | undefined;
  let leave: (() => void) | undefined;
  try {
    if (parses) {
      leave = await options.guests.slots.enter(lease.signal);
      guest = options.guests.take();
    }
    folder = guest?.folder ?? join(temporary, ownName(RUN_FOLDER));
    await options.leftovers.endSandboxesOnce();
    await options.leftovers.sweepOnce(temporary, RUN_FOLDER);
    await binding.started(run);
    const timeoutMs =
      prepared.skill.timeoutSeconds === null ? options.timeoutMs : prepared.skill.timeoutSeconds * 1000;
    const held: ClaimedRun = {
      ...options,
      timeoutMs,
      run,
      before,
      isOurs: isOursOf(store, options.projectRoot, prepared.key),
      isTaken: options.contents ? (path, sha256) => isTakenPath(store.db, path, sha256) : undefined,
      guest,
      folder,
      onLog: live.onLog,
      signal: lease.signal,
    };
    const executed = await span("run.execute", {}, async (traced) => {
      const made = await keepOutputs(await within(ownOf(prepared), () => executeSkill(prepared, held)), held);
      if (made.error) traced.fail(made.error.code);
      return made;
    });
    const { error, evidences, artifacts } = executed;
    const outcome = { succeeded: error === null, evidences, artifacts };
    const result = { ...executed, ...redactResult(executed, prepared) };
    const { state, run: recorded } = await span("run.record", {}, async () =>
      finishRun(store, run.id, result, binding.alongside(run, outcome)),
    );
    return state === "recorded" && recorded ? { run: recorded, kept: executed.kept } : null;
  } catch (error) {
    // Somebody else has settled the run; what they made of it is the answer.
    if (lease.isLost()) return null;
    if (!signal.aborted) throw error;
    const stopped = { code: "SKILL_INTERRUPTED", message: "The run was cancelled." };
    const failure = { isolation: null, logTail: live.log().trimEnd(), error: stopped };
    // Whoever asked for it wants nothing more if they ended it themselves; a cancelled run is an answer for them.
    if (options.signal.aborted) {
      await finishRun(store, run.id, failure);
      throw error;
    }
    const cancelled = { succeeded: false, evidences: [], artifacts: [], cancelled: true };
    const { run: recorded } = await finishRun(store, run.id, failure, binding.alongside(run, cancelled));
    return recorded && { run: recorded };
  } finally {
    live.end();
    lease.stop();
    guest?.end();
    leave?.();
    if (guest) options.guests.restock();
    if (folder !== undefined && existsSync(folder)) await rm(folder, { recursive: true, force: true });
  }
}

const LOST = new Error("The lease of this run was lost.");

/** Renews a run's lease while it runs. The signal aborts when the caller wants that, or the lease was lost. */
function keepLease(store: Store, runId: string, leaseMs: number, outer: AbortSignal) {
  const lost = new AbortController();
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    try {
      if ((await renewLease(store, runId, leaseMs)) === null) lost.abort(LOST);
    } catch (error) {
      // A database that is busy or full for a moment may answer before the lease ends, and the lease itself decides.
      if (!isStoreError(error)) lost.abort(error);
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, leaseMs / 3);
  timer.unref();
  return {
    signal: AbortSignal.any([outer, lost.signal]),
    isLost: () => lost.signal.reason === LOST && !outer.aborted,
    stop: () => clearInterval(timer),
  };
}
