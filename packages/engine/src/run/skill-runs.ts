import { type LiveConfig, policyNow, span } from "@knack/core/internal/engine";
import { Leftovers } from "../artifacts/leftovers.ts";
import { digestAt, type RecordedArtifact } from "../artifacts/verify-artifact.ts";
import type { Contents } from "../contents/contents.ts";
import type { GuestPool } from "../isolate/guest/guest-pool.ts";
import type { ImplementationDigest } from "../registry/implementation/implementation-digest.ts";
import type { Registered } from "../registry/registered.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import { latestSuccess } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { permitEntry } from "./approve/permit-entry.ts";
import { refuseDenied } from "./approve/refuse-denied.ts";
import { type RequestFault, requestFaults } from "./check-request.ts";
import { bringFor } from "./contents/bring-artifacts.ts";
import { fetchArtifact } from "./contents/fetch-artifact.ts";
import { lineageOf } from "./lineage.ts";
import { LiveRuns } from "./live/live-runs.ts";
import type { GivenInput } from "./prepare/assign-roles.ts";
import { digestCode } from "./prepare/digest-code.ts";
import { type PreparedRun, prepareRun } from "./prepare/prepare-run.ts";
import { type Reach, reachOf } from "./prepare/reach.ts";
import { type FinishedRun, type RunBinding, runSkill, serveSuccess } from "./run-skill.ts";
import { runTimes } from "./run-times.ts";
import { tracedRun } from "./traced-run.ts";

export interface RunSkillRequest {
  readonly inputs?: readonly GivenInput[];
  readonly params?: unknown;
  /** `task` or `plan/task` of an applied plan. */
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

export interface SkillRunsOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly config: LiveConfig;
  readonly guests: GuestPool;
  readonly allowNone: readonly string[];
  readonly store: () => Promise<Store>;
  /** Where artifacts are kept for all machines that share the store. */
  readonly contents: (store: Store) => Promise<Contents | null>;
}

/** Runs typed skills of one project, and keeps account of those in flight. */
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

  /** Checks a request and computes its key; runs nothing. */
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

  /** Ends the runs in flight, and waits until they are recorded. */
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
