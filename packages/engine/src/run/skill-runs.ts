import { type LiveConfig, policyNow } from "@knack/core/config";
import { count, measure, span } from "@knack/core/telemetry";
import { quote } from "@knack/core/text";
import { Leftovers } from "../artifacts/temporary.ts";
import { digestAt, type RecordedArtifact } from "../artifacts/verify-artifact.ts";
import type { Contents } from "../contents/contents.ts";
import type { GuestPool } from "../isolate/guest-pool.ts";
import type { ImplementationDigest } from "../registry/implementation-digest.ts";
import type { Registered } from "../registry/register.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import { latestSuccess } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { permitEntry, refuseDenied } from "./approve.ts";
import { bringFor, fetchArtifact } from "./artifact-contents.ts";
import { type RequestFault, requestFaults } from "./check-request.ts";
import { lineageOf } from "./lineage.ts";
import { LiveRuns } from "./live-runs.ts";
import {
  digestCode,
  type GivenInput,
  type PreparedRun,
  prepareRun,
  type Reach,
  reachOf,
} from "./prepare-run.ts";
import { type FinishedRun, type RunBinding, runSkill, serveSuccess } from "./run-skill.ts";

/** A day, as for `timeout_seconds`; timers count no further than 24 of them. */
const MAX_SECONDS = 86_400;

/** How long a run may take and how long its key is held without renewal, as the environment says. */
export function runTimes(env: NodeJS.ProcessEnv): { readonly leaseMs: number; readonly timeoutMs: number } {
  return {
    leaseMs: secondsIn(env, "KNACK_RUN_LEASE_SECONDS", 30) * 1000,
    timeoutMs: secondsIn(env, "KNACK_RUN_TIMEOUT_SECONDS", 600) * 1000,
  };
}

function secondsIn(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name] ?? "";
  const seconds = text === "" ? fallback : Number(text);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new EngineError(
    "INVALID_PARAM",
    `${name} must be a number of seconds above 0, at most ${MAX_SECONDS}, found ${quote(text)}.`,
  );
}

function tracedRun(work: () => Promise<FinishedRun>): Promise<FinishedRun> {
  return span("run", {}, async (traced) => {
    const began = performance.now();
    const finished = await work();
    const { run, cached, task } = finished;
    const { skill, status, error } = run;
    traced.set({
      "knack.skill.name": skill,
      "knack.run.id": run.id,
      "knack.run.key": run.key,
      "knack.run.status": status,
      "knack.run.cached": cached,
      "knack.run.isolation": run.isolation,
      "knack.plan.id": task.planId,
      "knack.task.id": task.taskId,
    });
    if (error) traced.fail(error.code);
    const labels = { "knack.skill.name": skill, "knack.run.status": status, "knack.run.cached": cached };
    count("knack.runs", labels);
    if (cached) count("knack.cache.hits", { "knack.skill.name": skill });
    measure("knack.run.duration", began, labels);
    return finished;
  });
}

export interface RunSkillRequest {
  readonly inputs?: readonly GivenInput[];
  readonly params?: unknown;
  readonly task?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Told where another process runs the same: who, and since when. */
  readonly onWait?: ((line: string) => void) | undefined;
  /** Who the log names for it, where that is not the engine's own. */
  readonly actor?: string | undefined;
  /** A model may name files of the project alone. */
  readonly insideProjectOnly?: boolean | undefined;
}

/** A request with what only the engine's own parts may say. */
export interface InnerRequest extends RunSkillRequest {
  readonly reach?: Reach | undefined;
  /** The paths to record for copies of files of another machine, by their own. */
  readonly recordedAs?: ReadonlyMap<string, string> | undefined;
}

interface SkillRunsOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly config: LiveConfig;
  readonly guests: GuestPool;
  readonly allowNone: readonly string[];
  readonly store: () => Promise<Store>;
  /** Where artifacts are kept for all machines that share the store. */
  readonly contents: (store: Store) => Promise<Contents | null>;
}

export class SkillRuns {
  readonly #options: SkillRunsOptions;
  readonly live = new LiveRuns();
  readonly #leftovers = new Leftovers();
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: SkillRunsOptions) {
    this.#options = options;
  }

  /** The skill and its code, if that code may run as it is now. */
  async permitted(name: string): Promise<{ registered: Registered; code: ImplementationDigest }> {
    const { project, skills } = this.#options;
    const registered = await skills.find(name);
    const code = await digestCode(registered);
    permitEntry(registered, code, project);
    return { registered, code };
  }

  async prepare(name: string, request: RunSkillRequest): Promise<PreparedRun> {
    const registered = await this.#options.skills.find(name);
    return this.#prepare(registered, await digestCode(registered), request);
  }

  /** What is wrong with a request, all at once; throws where the skill may not run. */
  async faults(name: string, request: RunSkillRequest): Promise<RequestFault[]> {
    const { registered } = await this.permitted(name);
    const { inputs = [], params = {} } = request;
    return requestFaults(registered, { inputs, params }, this.#options.project.cwd);
  }

  /** A request that is ready to run elsewhere, or its result if an earlier run has it. */
  async prepareOrServe(
    name: string,
    request: InnerRequest,
    bind: () => Promise<RunBinding>,
  ): Promise<{ readonly prepared: PreparedRun; readonly served: FinishedRun | null }> {
    const { project } = this.#options;
    const { registered, code } = await this.refuseForbidden(name);
    const prepared = await this.#prepare(registered, code, request);
    const binding = await bind();
    const store = await this.#options.store();
    const { actor = store.actor } = request;
    const success = prepared.caching ? await latestSuccess(store.db, prepared.key) : null;
    const { projectRoot } = project;
    const contents = await this.#options.contents(store);
    const bring = bringFor(store, prepared, { contents, projectRoot, leftovers: this.#leftovers });
    const answer = success && (await serveSuccess({ ...store, actor }, success, binding, projectRoot, bring));
    const served =
      success && answer?.wrong.length === 0
        ? {
            run: success,
            cached: true,
            task: binding.task,
            inputs: prepared.inputs,
            healed: [],
            ...(answer.kept.length > 0 && { kept: answer.kept }),
          }
        : null;
    return { prepared, served };
  }

  /** Throws `EngineError` if the skill may not run as it is now: not trusted, or denied by policy. */
  async refuseForbidden(name: string): Promise<{ registered: Registered; code: ImplementationDigest }> {
    const found = await this.permitted(name);
    refuseDenied(await policyNow(this.#options.config), found.registered.skill.name);
    return found;
  }

  /** Brings an artifact that is missing here to its path, where other machines keep theirs too. */
  async fetch(artifact: RecordedArtifact): Promise<void> {
    const { project, store, contents: open } = this.#options;
    const { projectRoot } = project;
    if ((await digestAt(projectRoot, artifact.path)) !== "missing") return;
    const contents = await open(await store());
    if (contents) await fetchArtifact(artifact, { contents, projectRoot, leftovers: this.#leftovers });
  }

  async run(name: string, request: InnerRequest, bind: () => Promise<RunBinding>): Promise<FinishedRun> {
    const { signal: end } = this.#end;
    const signal = request.signal ? AbortSignal.any([request.signal, end]) : end;
    const run = tracedRun(() => this.#run(name, { ...request, signal }, bind));
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
  }

  #prepare(registered: Registered, code: ImplementationDigest, request: InnerRequest): Promise<PreparedRun> {
    const { projectRoot, cwd, env, isTrusted } = this.#options.project;
    const { inputs = [], params = {}, signal = new AbortController().signal } = request;
    const options = { projectRoot, cwd, env, reach: reachOf(request, isTrusted), signal };
    const { recordedAs } = request;
    return prepareRun(registered, code, { inputs, params }, { ...options, recordedAs });
  }

  async #run(
    name: string,
    request: InnerRequest & { readonly signal: AbortSignal },
    bind: () => Promise<RunBinding>,
  ): Promise<FinishedRun> {
    const { project, guests, allowNone } = this.#options;
    const prepared = await span("run.prepare", {}, async () => {
      // Every surface runs a typed skill here, so that none can forget what was denied.
      const { registered, code } = await this.refuseForbidden(name);
      const { executable } = registered.implementation;
      if (executable.kind === "builtin" && executable.parses) guests.expect(request.inputs?.[0]?.path ?? "");
      return this.#prepare(registered, code, request);
    });
    const binding = await bind();
    const store = await this.#options.store();
    const contents = await this.#options.contents(store);
    const { signal, onLog, onWait, actor = store.actor } = request;
    return runSkill({ ...store, actor }, prepared, binding, {
      ...runTimes(project.env),
      projectRoot: project.projectRoot,
      signal,
      onLog,
      onWait,
      leftovers: this.#leftovers,
      guests,
      allowNone,
      live: this.live,
      contents,
      lineage: lineageOf(project.env),
    });
  }
}
