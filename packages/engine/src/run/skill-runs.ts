import { LiveConfig, policyNow } from "@knack/core/config";
import { count, measure, span } from "@knack/core/telemetry";
import { KnackError, quote } from "@knack/core/text";
import { Leftovers } from "../artifacts/temporary.ts";
import { digestAt, type RecordedArtifact } from "../artifacts/verify-artifact.ts";
import type { Contents } from "../contents/contents.ts";
import { openContents } from "../contents/open-contents.ts";
import { GuestPool } from "../isolate/guest.ts";
import type { ImplementationDigest } from "../registry/implementation-digest.ts";
import { type Registered, TypedSkills } from "../registry/typed-skills.ts";
import { EngineProject, type EngineProjectOptions } from "../shared/engine-project.ts";
import { EngineStore } from "../state/engine-store.ts";
import { type Database, NO_DATABASE } from "../store/database.ts";
import { latestSuccess } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { permitEntry, refuseDenied } from "./approve.ts";
import { fetchArtifact } from "./artifact-contents.ts";
import type { ConfirmInput } from "./input-kinds.ts";
import { lineageOf } from "./lineage.ts";
import { LiveRuns } from "./live-runs.ts";
import {
  digestCode,
  type InnerRequest,
  type PreparedRun,
  prepareRun,
  type RequestFault,
  type RunSkillRequest,
  recordedInputs,
  requestFaults,
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
  throw new KnackError(
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

export interface EngineOptions extends EngineProjectOptions {
  /** Registry files, absolute. */
  readonly registry: readonly string[];
  /** `sqlite:/absolute/path` or `postgres://…`; `null`, the default: a file in the user's folder, `~/.knack/projects/`. */
  readonly store?: string | null;
  /** Where all machines of a team keep artifacts: `postgres` or `s3://bucket/prefix`. `null`: `postgres` if the store is. */
  readonly artifacts?: string | null;
  /** Names of typed skills that may run without isolation where the machine offers none for their language; none by default. */
  readonly allowNone?: readonly string[];
  /** Who acts, for the log; a function is asked for each record. */
  readonly actor?: string | (() => string);
  /** Whether a process waits for the next built-in skill: `true` by default. A program that runs one need not pay for it. */
  readonly keepsWarm?: boolean;
  /** Is told what a person should know of the database, a line each, perhaps more than once. */
  readonly onNote?: ((line: string) => void) | undefined;
  /** @internal The configuration of the project, where somebody has read it already. */
  readonly config?: LiveConfig;
  /** @internal Processes for built-in skills that were started before the engine was opened; it ends them. */
  readonly guests?: GuestPool;
}

/** What an engine needs to run typed skills. `ProjectPlans` adds plans to it, and `Engine` the registry and the queue. */
export class SkillRuns {
  /** The runs that this process executes now. */
  readonly live = new LiveRuns();
  protected readonly project: EngineProject;
  protected readonly typed: TypedSkills;
  protected readonly state: EngineStore;
  readonly #options: EngineOptions;
  readonly #config: LiveConfig;
  readonly #guests: GuestPool;
  readonly #contents = new WeakMap<Store, Promise<Contents | null>>();
  readonly #leftovers = new Leftovers();
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** @internal Use `openEngine`. */
  constructor(options: EngineOptions) {
    const project = new EngineProject(options);
    const { projectRoot, place } = project;
    const here = () => ({ ...place, projectRoot, ...project.trust });
    this.#options = options;
    this.project = project;
    this.typed = new TypedSkills(project, options.registry);
    this.#config = options.config ?? new LiveConfig(here);
    this.#guests = options.guests ?? new GuestPool(options.keepsWarm ?? true);
    this.state = new EngineStore({
      ...place,
      projectRoot,
      url: options.store ?? null,
      isTrusted: () => project.isTrusted,
      actor: options.actor ?? "library",
      tell: options.onNote,
    });
  }

  /** The database, created if there is none. */
  store(): Promise<Store> {
    return this.state.get();
  }

  /** What has happened, for reading alone: no database is made for it. */
  async history(): Promise<Database> {
    return this.state.exists ? (await this.store()).db : NO_DATABASE;
  }

  /** Where artifacts are kept for all machines that share the store; `null` where they are local files alone. */
  async contents(): Promise<Contents | null> {
    const store = await this.store();
    const opened = this.#contents.get(store) ?? openContents(this.#options.artifacts ?? null, store);
    this.#contents.set(store, opened);
    // The next call tries again.
    opened.catch(() => this.#contents.delete(store));
    return opened;
  }

  /** The skill and its code; throws `KnackError` if that code may not run as it is now. */
  async checkTrust(name: string): Promise<{ registered: Registered; code: ImplementationDigest }> {
    const registered = await this.typed.find(name);
    const code = await digestCode(registered);
    permitEntry(registered, code, this.project);
    return { registered, code };
  }

  /** The same; throws also if the policy denies it. */
  async refuseForbidden(name: string): Promise<{ registered: Registered; code: ImplementationDigest }> {
    const found = await this.checkTrust(name);
    refuseDenied(await policyNow(this.#config), found.registered.skill.name);
    return found;
  }

  /** Checks a request and computes its key; runs nothing. Without `confirm`, as if everything were confirmed. */
  async prepare(name: string, request: RunSkillRequest = {}): Promise<PreparedRun> {
    const registered = await this.typed.find(name);
    const confirm: ConfirmInput = async () => ({ by: "", at: "" });
    return this.#prepare(registered, await digestCode(registered), { confirm, ...request });
  }

  /** What is wrong with a request, with the place of each fault; empty if it could run. Throws where it is refused. */
  async faults(name: string, { inputs = [], params = {} }: RunSkillRequest = {}): Promise<RequestFault[]> {
    const { registered } = await this.checkTrust(name);
    return requestFaults(registered, { inputs, params }, this.project.cwd);
  }

  /** A request that is ready to run elsewhere, or its result if an earlier run has it. */
  async prepareOrServe(
    name: string,
    request: InnerRequest,
    binding: RunBinding,
  ): Promise<{ readonly prepared: PreparedRun; readonly served: FinishedRun | null }> {
    const { registered, code } = await this.refuseForbidden(name);
    const prepared = await this.#prepare(registered, code, request);
    const store = await this.store();
    const { actor = store.actor } = request;
    const run = prepared.caching ? await latestSuccess(store.db, prepared.key) : null;
    if (!run) return { prepared, served: null };
    const { projectRoot } = this.project;
    const place = { contents: await this.contents(), projectRoot, leftovers: this.#leftovers };
    const { wrong, kept } = await serveSuccess({ ...store, actor }, run, prepared, binding, place);
    const { task } = binding;
    const inputs = recordedInputs(prepared);
    return { prepared, served: wrong.length === 0 ? { run, cached: true, task, inputs, kept } : null };
  }

  /** Brings a recorded artifact that is missing here to its path, if other machines keep theirs in the same place. */
  async fetchArtifact(artifact: RecordedArtifact): Promise<void> {
    const { projectRoot } = this.project;
    if ((await digestAt(projectRoot, artifact.path)) !== "missing") return;
    const contents = await this.contents();
    if (contents) await fetchArtifact(artifact, { contents, projectRoot, leftovers: this.#leftovers });
  }

  /** Runs a typed skill, or serves what an earlier run of the same key made. Throws `KnackError` where it is refused. */
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

  /** Ends the runs in flight, and answers when their processes are gone and their ends recorded. */
  async endRuns(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
  }

  async close(): Promise<void> {
    await this.endRuns();
    await this.#guests.close();
    await this.state.close();
  }

  #prepare(registered: Registered, code: ImplementationDigest, request: InnerRequest): Promise<PreparedRun> {
    return prepareRun(registered, code, request, this.project, () => this.history());
  }

  async #run(
    name: string,
    request: InnerRequest & { readonly signal: AbortSignal },
    bind: () => Promise<RunBinding>,
  ): Promise<FinishedRun> {
    const { projectRoot, env } = this.project;
    const prepared = await span("run.prepare", {}, async () => {
      // Every surface runs a typed skill here, so that none can forget what was denied.
      const { registered, code } = await this.refuseForbidden(name);
      const { executable } = registered.implementation;
      if (executable.kind === "builtin" && executable.parses)
        this.#guests.expect(request.inputs?.[0]?.path ?? "");
      return this.#prepare(registered, code, request);
    });
    // An answer may take minutes, and trust or leave may be gone by then.
    if (prepared.confirmed.length > 0) await this.refuseForbidden(name);
    const binding = await bind();
    const store = await this.store();
    const { signal, onLog, onWait, actor = store.actor } = request;
    return runSkill({ ...store, actor }, prepared, binding, {
      ...runTimes(env),
      projectRoot,
      signal,
      onLog,
      onWait,
      leftovers: this.#leftovers,
      guests: this.#guests,
      allowNone: this.#options.allowNone ?? [],
      live: this.live,
      contents: await this.contents(),
      lineage: lineageOf(env),
    });
  }
}
