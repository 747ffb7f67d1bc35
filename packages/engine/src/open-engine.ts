import type { Approval } from "@knack/core";
import { LiveConfig } from "@knack/core/config";
import type { ReceivedFile } from "./artifacts/receive-file.ts";
import type { Contents } from "./contents/contents.ts";
import { openContents } from "./contents/open-contents.ts";
import { GuestPool } from "./isolate/guest-pool.ts";
import type { HandEvidence } from "./plan/evidence.ts";
import type { Plan } from "./plan/plan.ts";
import type { ListedPlan, PlanStatus } from "./plan/plan-report.ts";
import { type AppliedPlan, type Attached, type Evidenced, ProjectPlans } from "./plan/project-plans.ts";
import type { RunPlanOptions } from "./plan/run-plan.ts";
import { bindingOf, QueuedElsewhere } from "./plan/tasks.ts";
import type { Queued, QueueRequest, QueueWaits, RunQueue } from "./queue/run-queue.ts";
import type { SkillTable } from "./registry/register.ts";
import { TypedSkills } from "./registry/typed-skills.ts";
import { approvalOf, needsApproval } from "./run/approve.ts";
import type { RequestFault } from "./run/check-request.ts";
import type { LiveRuns } from "./run/live-runs.ts";
import type { PreparedRun } from "./run/prepare-run.ts";
import type { FinishedRun, RunBinding } from "./run/run-skill.ts";
import { type RunSkillRequest, SkillRuns } from "./run/skill-runs.ts";
import { EngineProject } from "./shared/engine-project.ts";
import { EngineStore, type StateVerification } from "./state/engine-store.ts";
import { type Database, NO_DATABASE } from "./store/database.ts";
import { interruptExpired } from "./store/runs/claim.ts";
import {
  getRun,
  type HistoryEntry,
  type HistoryFilter,
  listRuns,
  type RunFilter,
  runHistory,
  type SkillRun,
} from "./store/runs/runs.ts";
import type { Store } from "./store/store.ts";

export interface EngineOptions {
  readonly projectRoot: string;
  /** What relative paths of inputs are relative to; the project root by default. */
  readonly cwd?: string;
  /** Registry files, absolute. */
  readonly registry: readonly string[];
  /** `sqlite:/absolute/path` or `postgres://…`; `null`, the default: a file in the user's folder, `~/.knack/projects/`. */
  readonly store?: string | null;
  /**
   * Where artifacts are kept besides `workspace/artifacts`, for all machines that share the store: `postgres` or
   * `s3://bucket/prefix`. `null`, the default: `postgres` if the store is, else nowhere.
   */
  readonly artifacts?: string | null;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /**
   * Whether code of the project may run. A program that embeds the engine has decided: `true` by default. `"ask"`: what the
   * user trusted, byte for byte (`knack trust`).
   */
  readonly trusted?: boolean | "ask";
  /** Names of typed skills that may run without isolation where the machine offers none for their language; none by default. */
  readonly allowNone?: readonly string[];
  /** Who acts, for the log; a function is asked for each record. */
  readonly actor?: string | (() => string);
  /**
   * Whether a process waits for the next built-in skill once there was one: `true` by default. A program that runs one and
   * ends need not pay for it.
   */
  readonly keepsWarm?: boolean;
  /** Is told what a person should know of the database, a line each, perhaps more than once. */
  readonly onNote?: ((line: string) => void) | undefined;
  /** @internal The configuration of the project, where somebody has read it already. */
  readonly config?: LiveConfig;
  /** @internal Processes for built-in skills that were started before the engine was opened; it ends them. */
  readonly guests?: GuestPool;
}

/** Opens the typed skills of a project. The database is opened when it is first needed. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const engine = new Engine(options);
  await engine.reload();
  return engine;
}

export class Engine {
  readonly #project: EngineProject;
  readonly #skills: TypedSkills;
  readonly #store: EngineStore;
  readonly #guests: GuestPool;
  readonly #runs: SkillRuns;
  readonly #plans: ProjectPlans;
  #queue: Promise<RunQueue> | undefined;
  readonly #artifacts: string | null;
  readonly #contents = new WeakMap<Store, Promise<Contents | null>>();

  /** @internal Use `openEngine`. */
  constructor(options: EngineOptions) {
    const project = new EngineProject(options);
    const { projectRoot, place } = project;
    const here = () => ({ ...place, projectRoot, trusted: project.isTrusted });
    const { store: url = null, allowNone = [], config = new LiveConfig(here) } = options;
    const skills = new TypedSkills(project, options.registry);
    const guests = options.guests ?? new GuestPool(options.keepsWarm ?? true);
    const store = () => this.store();
    const contents = (of: Store) => this.#openContents(of);
    const runs = new SkillRuns({ project, skills, config, guests, allowNone, store, contents });
    this.#artifacts = options.artifacts ?? null;
    this.#project = project;
    this.#skills = skills;
    this.#store = new EngineStore({
      ...place,
      url,
      projectRoot,
      isTrusted: () => project.isTrusted,
      actor: options.actor ?? "library",
      tell: options.onNote,
    });
    this.#guests = guests;
    this.#runs = runs;
    this.#plans = new ProjectPlans({ project, skills, runs, store, history: () => this.history() });
  }

  /** Reads the registry files again, or others from now on. Runs in flight go on as they began. */
  reload(registry?: readonly string[]): Promise<void> {
    return this.#skills.reload(registry);
  }

  get skills(): SkillTable["skills"] {
    return this.#skills.table.skills;
  }

  get errors(): SkillTable["errors"] {
    return this.#skills.table.errors;
  }

  get warnings(): SkillTable["warnings"] {
    return this.#skills.table.warnings;
  }

  /** Whether a model may see what the project declares. */
  get isTrusted(): boolean {
    return this.#project.isTrusted;
  }

  /** Whether running it runs code of the project. */
  isCode(name: string): boolean {
    return this.#skills.table.registered.get(name)?.implementation.executable.kind === "file";
  }

  /** All typed skills with code or rules of the project: what `knack trust` approves. */
  get approvals(): Approval[] {
    const { projectRoot } = this.#project;
    const registered = [...this.#skills.table.registered.values()];
    const own = registered.filter((one) => needsApproval(one, projectRoot));
    return own.map(({ skill, implementation }) => approvalOf(skill, implementation.sources));
  }

  /** Why the entry of this name was skipped, with what to do; `undefined` if no entry has it. */
  whyLeftOut(name: string): string | undefined {
    return this.#skills.whyLeftOut(name);
  }

  get leftOut(): string[] {
    return [...this.#skills.table.leftOut.keys()];
  }

  get hasStore(): boolean {
    return this.#store.exists;
  }

  /** The database, created if there is none. */
  store(): Promise<Store> {
    return this.#store.get();
  }

  /** Where artifacts are kept for all machines that share the store; `null` where they are local files alone. */
  async contents(): Promise<Contents | null> {
    return this.#openContents(await this.store());
  }

  /** Brings a recorded artifact that is missing here to its path, if other machines keep theirs in the same place. */
  async fetchArtifact(artifact: { readonly path: string; readonly sha256: string }): Promise<void> {
    await this.#runs.fetch(artifact);
  }

  #openContents(store: Store): Promise<Contents | null> {
    const opened = this.#contents.get(store) ?? openContents(this.#artifacts, store);
    this.#contents.set(store, opened);
    // The next call tries again.
    opened.catch(() => this.#contents.delete(store));
    return opened;
  }

  /** What has happened, for reading alone: no database is made for it. */
  async history(): Promise<Database> {
    return this.hasStore ? (await this.store()).db : NO_DATABASE;
  }

  /** Checks the log, and runs, artifacts, evidence and tasks against it. */
  verify(head?: string): Promise<StateVerification> {
    return this.#store.verify(head);
  }

  /** Where the database is, for a person: never with a password. */
  get storePlace(): string {
    return this.#store.shown;
  }

  /** The history of runs, newest first. Runs whose process died are reported as interrupted. */
  async runs(filter: RunFilter): Promise<SkillRun[]> {
    if (this.hasStore) await interruptExpired(await this.store());
    return listRuns(await this.history(), filter);
  }

  /** The same with the results that were returned from an earlier run, page by page. */
  async runHistory(filter: HistoryFilter): Promise<HistoryEntry[]> {
    if (this.hasStore) await interruptExpired(await this.store());
    return runHistory(await this.history(), filter);
  }

  async findRun(id: string): Promise<SkillRun | null> {
    if (this.hasStore) await interruptExpired(await this.store());
    return getRun(await this.history(), id);
  }

  /** Ends the runs in flight, and answers when their processes are gone and their ends recorded. */
  async close(): Promise<void> {
    await this.#runs.close();
    await (await this.#queue?.catch(() => undefined))?.close();
    await this.#guests.close();
    await this.#store.close();
  }

  /** Throws `EngineError` if its current code may not run: checked before a user is asked, to ask nothing in vain. */
  async checkTrust(name: string): Promise<void> {
    await this.#runs.permitted(name);
  }

  /** Checks a request and computes its key; runs nothing. */
  prepare(name: string, request: RunSkillRequest = {}): Promise<PreparedRun> {
    return this.#runs.prepare(name, request);
  }

  /** What is wrong with a request, with the place of each fault; empty if it could run. Throws where it is refused. */
  faults(name: string, request: RunSkillRequest = {}): Promise<RequestFault[]> {
    return this.#runs.faults(name, request);
  }

  get live(): LiveRuns {
    return this.#runs.live;
  }

  /** Runs a typed skill, or serves what an earlier run of the same key made. Throws `EngineError` where it is refused. */
  run(name: string, request: RunSkillRequest = {}): Promise<FinishedRun> {
    return this.#runs.run(name, request, () => this.#bindingOf(request.task));
  }

  /** What a run for this task writes besides. */
  #bindingOf(task: string | undefined): Promise<RunBinding> {
    return bindingOf(
      () => this.history(),
      () => this.store(),
      task,
    );
  }

  /** Reads and checks a plan; throws `EngineError` with every problem and its line. */
  readPlan(file: string): Promise<Plan> {
    return this.#plans.read(file);
  }

  /** Makes the plan known and binds the files that lie ready for it. */
  applyPlan(file: string): Promise<AppliedPlan> {
    return this.#plans.apply(file);
  }

  plans(): Promise<ListedPlan[]> {
    return this.#plans.list();
  }

  /** Where a plan that was applied stands, as the database has it; the file and what lies ready are not looked at. */
  planStatus(id: string): Promise<PlanStatus | null> {
    return this.#plans.status(id);
  }

  /** Executes what is READY until nothing is left. */
  runPlan(
    file: string,
    options: Partial<RunPlanOptions> & Pick<RunSkillRequest, "onWait"> = {},
  ): Promise<PlanStatus> {
    return this.#plans.run(file, options);
  }

  /**
   * The queue of a store on PostgreSQL; throws `EngineError` with any other. Its code is loaded here: one person's SQLite
   * needs none of it.
   */
  queue(): Promise<RunQueue> {
    this.#queue ??= this.#openQueue();
    this.#queue.catch(() => {
      this.#queue = undefined;
    });
    return this.#queue;
  }

  /** Queues a run, or answers with the result of an earlier one. */
  async enqueue(name: string, request: QueueRequest = {}): Promise<Queued> {
    return (await this.queue()).enqueue(name, request, () => this.#bindingOf(request.task));
  }

  /**
   * Executes a plan by the queue: all READY tasks at once, then those that become ready. Without `follows` the READY tasks
   * are queued and nothing is waited for.
   */
  async runPlanQueued(
    file: string,
    options: Partial<RunPlanOptions> & {
      readonly priority?: number | undefined;
      readonly follows?: boolean;
      readonly waits?: QueueWaits;
    } = {},
  ): Promise<PlanStatus> {
    const queue = await this.queue();
    const { priority, follows = true, waits, signal = new AbortController().signal, ...rest } = options;
    return this.#plans.run(file, { ...rest, signal }, async (name, request, bind) => {
      const queued = await queue.enqueue(name, { ...request, priority, isOwnRun: true }, bind);
      if (!follows && queued.queued) throw new QueuedElsewhere();
      return queue.follow(queued, signal, waits);
    });
  }

  async #openQueue(): Promise<RunQueue> {
    const store = await this.store();
    const contents = await this.#openContents(store);
    const { RunQueue } = await import("./queue/run-queue.ts");
    return new RunQueue({
      project: this.#project,
      skills: this.#skills,
      runs: this.#runs,
      store,
      contents,
    });
  }

  addEvidence(task: string, requirement: string, evidence: HandEvidence): Promise<Evidenced> {
    return this.#plans.addEvidence(task, requirement, evidence);
  }

  /** Keeps an uploaded file below `workspace/attached/` and binds it like `addEvidence`. */
  attach(task: string, requirement: string, file: ReceivedFile): Promise<Attached> {
    return this.#plans.attach(task, requirement, file);
  }
}
