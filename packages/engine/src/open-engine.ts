import { resolve } from "node:path";
import { type Approval, isTrusted, type TrustPlace } from "@knack/core";
import {
  canonical,
  fewOf,
  findState,
  homeFolder,
  LiveConfig,
  policyNow,
  quote,
  typedNameOf,
} from "@knack/core/internal/engine";
import { Leftovers } from "./artifacts/leftovers.ts";
import { GuestPool } from "./isolate/guest/guest-pool.ts";
import { applyPlan } from "./plan/apply-plan.ts";
import { bindingOf } from "./plan/binding-of.ts";
import { addPlanEvidence } from "./plan/evidence/add-evidence.ts";
import { bindByHand, type HandEvidence } from "./plan/evidence/bind-by-hand.ts";
import { bindFiles } from "./plan/evidence/bind-files.ts";
import { findTask } from "./plan/find-task.ts";
import { type ListedPlan, listPlans } from "./plan/list-plans.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlanStatus, planStatus } from "./plan/plan-status.ts";
import { PLAN_OF_STRANGER } from "./plan/read/check-inputs.ts";
import { readPlanFile } from "./plan/read/read-plan-file.ts";
import { releaseTasks } from "./plan/release-tasks.ts";
import { type RunPlanOptions, runPlan } from "./plan/run-plan.ts";
import type { ImplementationDigest } from "./registry/implementation/implementation-digest.ts";
import { register, type SkillTable } from "./registry/register.ts";
import type { Registered } from "./registry/registered.ts";
import { approvalOf } from "./run/approve/approval-of.ts";
import { needsApproval, permitEntry } from "./run/approve/permit-entry.ts";
import { refuseDenied } from "./run/approve/refuse-denied.ts";
import { lineageOf } from "./run/lineage.ts";
import type { GivenInput } from "./run/prepare/assign-roles.ts";
import { digestCode } from "./run/prepare/digest-code.ts";
import { type PreparedRun, prepareRun } from "./run/prepare/prepare-run.ts";
import type { Reach } from "./run/prepare/reach.ts";
import { type FinishedRun, type RunBinding, runSkill } from "./run/run-skill.ts";
import { EngineError } from "./shared/engine-error.ts";
import { EngineStore } from "./state/engine-store.ts";
import { type StateVerification, verifyState } from "./state/verify-state.ts";
import { type Database, NO_DATABASE } from "./store/database.ts";
import { statedStore } from "./store/open-store.ts";
import { interruptExpired } from "./store/runs/claim.ts";
import { getRun, listRuns, type RunFilter } from "./store/runs/runs.ts";
import type { SkillRun } from "./store/runs/skill-run.ts";
import type { Store } from "./store/store.ts";

export interface EngineOptions {
  readonly projectRoot: string;
  /** What relative paths of inputs are relative to; the project root by default. */
  readonly cwd?: string;
  /** Registry files, absolute. */
  readonly registry: readonly string[];
  /** `sqlite:/absolute/path`. One inside a project that is not trusted is not opened: its state is in the user's folder. */
  readonly store: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /**
   * Whether code of the project may run. A program that embeds the engine has decided: `true` by default. `"ask"`: what the
   * user trusted, byte for byte (`knack trust`).
   */
  readonly trusted?: boolean | "ask";
  /** Names of typed skills that may run without isolation where the machine offers none for their language; none by default. */
  readonly allowNone?: readonly string[];
  /** Who acts, for the log. */
  readonly actor?: string;
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

/** A day, as for `timeout_seconds`; timers count no further than 24 of them. */
const MAX_SECONDS = 86_400;

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
interface InnerRequest extends RunSkillRequest {
  readonly reach?: Reach | undefined;
}

/** Opens the typed skills of a project. The database is opened when it is first needed. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  // By its real path: containment is checked by comparing paths.
  const projectRoot = canonical(options.projectRoot);
  const cwd = canonical(options.cwd ?? projectRoot);
  const engine = new Engine({ ...options, projectRoot, cwd }, NO_SKILLS);
  await engine.reload();
  return engine;
}

const NO_SKILLS: SkillTable = {
  skills: [],
  errors: [],
  warnings: [],
  leftOut: new Map(),
  registered: new Map(),
  trusted: false,
};

export class Engine {
  readonly #options: EngineOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #place: TrustPlace;
  readonly #config: LiveConfig;
  #table: SkillTable;
  #registry: readonly string[];
  readonly #leftovers = new Leftovers();
  readonly #store: EngineStore;
  readonly #guests: GuestPool;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** @internal Use `openEngine`. */
  constructor(options: EngineOptions, table: SkillTable) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#place = { env: this.#env, home: options.home ?? homeFolder(this.#env) };
    const { store: url, projectRoot, trusted = true } = options;
    this.#config =
      options.config ?? new LiveConfig(() => ({ projectRoot, ...this.#place, trusted: this.isTrusted }));
    this.#table = table;
    this.#registry = options.registry;
    this.#guests = options.guests ?? new GuestPool(options.keepsWarm ?? true);
    this.#store = new EngineStore({
      ...this.#place,
      find: () =>
        trusted === true
          ? statedStore(url)
          : findState({ ...this.#place, projectRoot, trusted: this.isTrusted, url }),
      projectRoot,
      actor: options.actor ?? "library",
      tell: options.onNote,
    });
  }

  /** Reads the registry files again, or others from now on. Runs in flight go on as they began. */
  async reload(registry = this.#registry): Promise<void> {
    this.#registry = registry;
    this.#table = await register(registry, this.#options.projectRoot, this.isTrusted);
  }

  /** The typed skills as the project is trusted now: trust may have come or gone since they were read. */
  async #current(): Promise<SkillTable> {
    if (this.isTrusted !== this.#table.trusted) await this.reload();
    return this.#table;
  }

  get skills(): SkillTable["skills"] {
    return this.#table.skills;
  }

  get errors(): SkillTable["errors"] {
    return this.#table.errors;
  }

  get warnings(): SkillTable["warnings"] {
    return this.#table.warnings;
  }

  /** Whether a model may see what the project declares. */
  get isTrusted(): boolean {
    const { trusted = true, projectRoot } = this.#options;
    return trusted === "ask" ? isTrusted(projectRoot, this.#place) : trusted;
  }

  /** Whether running it runs code of the project. */
  isCode(name: string): boolean {
    return this.#table.registered.get(name)?.implementation.executable.kind === "file";
  }

  /** All typed skills with code or rules of the project: what `knack trust` approves. */
  get approvals(): Approval[] {
    const { projectRoot } = this.#options;
    const own = [...this.#table.registered.values()].filter((one) => needsApproval(one, projectRoot));
    return own.map(({ skill, implementation }) => approvalOf(skill, implementation.sources));
  }

  /** Why the entry of this name was skipped, with what to do; `undefined` if no entry has it. */
  whyLeftOut(name: string): string | undefined {
    const fault = this.#table.leftOut.get(name);
    if (!fault) return undefined;
    const where = fault.line === undefined ? fault.path : `${fault.path}:${fault.line}`;
    return `The typed skill ${quote(name)} was skipped because its entry has an error (${where}): ${fault.message} Fix it; "knack registry" lists all errors.`;
  }

  /** The names of all entries that were skipped. */
  get leftOut(): string[] {
    return [...this.#table.leftOut.keys()];
  }

  /** Whether there is a database already. */
  get hasStore(): boolean {
    return this.#store.exists;
  }

  /** The database, created if there is none. */
  store(): Promise<Store> {
    return this.#store.get();
  }

  /** What has happened, for reading alone: no database is made for it. */
  async history(): Promise<Database> {
    return this.hasStore ? (await this.store()).db : NO_DATABASE;
  }

  /**
   * Checks the log, and runs, artifacts, evidence and tasks against it. Where the database must not be written, a copy is
   * read.
   */
  verify(head?: string): Promise<StateVerification> {
    return verifyState(this.#store.place, this.#place, this.#options.projectRoot, head);
  }

  /** A database in the project's place that is not used. */
  get foreignDatabase(): string | undefined {
    return this.#store.place.foreign?.path;
  }

  /** The history of runs, newest first. Runs whose process died are reported as interrupted. */
  async runs(filter: RunFilter): Promise<SkillRun[]> {
    if (this.hasStore) await interruptExpired(await this.store());
    return listRuns(await this.history(), filter);
  }

  async findRun(id: string): Promise<SkillRun | null> {
    if (this.hasStore) await interruptExpired(await this.store());
    return getRun(await this.history(), id);
  }

  /** Ends the runs in flight, and answers when their processes are gone and their ends recorded. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
    await this.#guests.close();
    await this.#store.close();
  }

  /** Throws `EngineError` if its current code may not run: checked before a user is asked, to ask nothing in vain. */
  async checkTrust(name: string): Promise<void> {
    const registered = this.#find(await this.#current(), name);
    const code = await digestCode(registered);
    permitEntry(registered, code, { ...this.#options, isTrusted: this.isTrusted, place: this.#place });
  }

  /** Checks a request and computes its key; runs nothing. */
  async prepare(name: string, request: RunSkillRequest = {}): Promise<PreparedRun> {
    const registered = this.#find(await this.#current(), name);
    return this.#prepare(registered, await digestCode(registered), request);
  }

  #prepare(registered: Registered, code: ImplementationDigest, request: InnerRequest): Promise<PreparedRun> {
    const { projectRoot, cwd = projectRoot } = this.#options;
    return prepareRun(
      registered,
      code,
      { inputs: request.inputs ?? [], params: request.params ?? {} },
      {
        projectRoot,
        cwd,
        env: this.#env,
        reach: this.#reach(request),
        signal: request.signal ?? new AbortController().signal,
      },
    );
  }

  /** Runs a typed skill, or serves what an earlier run of the same key made. Throws `EngineError` where it is refused. */
  async run(name: string, request: RunSkillRequest = {}): Promise<FinishedRun> {
    return this.#run(name, request, () =>
      bindingOf(
        () => this.history(),
        () => this.store(),
        request.task,
      ),
    );
  }

  async #run(name: string, request: InnerRequest, bind: () => Promise<RunBinding>): Promise<FinishedRun> {
    const { signal: end } = this.#end;
    const signal = request.signal ? AbortSignal.any([request.signal, end]) : end;
    const run = this.#runUntil(name, { ...request, signal }, bind);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async #runUntil(
    name: string,
    request: InnerRequest & { readonly signal: AbortSignal },
    bind: () => Promise<RunBinding>,
  ): Promise<FinishedRun> {
    const registered = this.#find(await this.#current(), name);
    const code = await digestCode(registered);
    permitEntry(registered, code, { ...this.#options, isTrusted: this.isTrusted, place: this.#place });
    // Every surface runs a typed skill here, so that none can forget what was denied.
    refuseDenied(await policyNow(this.#config), registered.skill.name);
    const { executable } = registered.implementation;
    if (executable.kind === "builtin" && executable.parses)
      this.#guests.expect(request.inputs?.[0]?.path ?? "");
    const prepared = await this.#prepare(registered, code, request);
    const binding = await bind();
    const store = await this.store();
    return runSkill({ ...store, actor: request.actor ?? store.actor }, prepared, binding, {
      projectRoot: this.#options.projectRoot,
      leaseMs: this.#seconds("KNACK_RUN_LEASE_SECONDS", 30) * 1000,
      timeoutMs: this.#seconds("KNACK_RUN_TIMEOUT_SECONDS", 600) * 1000,
      signal: request.signal,
      onLog: request.onLog,
      onWait: request.onWait,
      leftovers: this.#leftovers,
      guests: this.#guests,
      allowNone: this.#options.allowNone ?? [],
      lineage: lineageOf(this.#env),
    });
  }

  /** Reads and checks a plan; throws `EngineError` with every problem and its line. */
  async readPlan(file: string): Promise<Plan> {
    const { projectRoot, cwd = projectRoot } = this.#options;
    const { registered } = await this.#current();
    return readPlanFile(resolve(cwd, file), {
      registered,
      whyLeftOut: (name) => this.whyLeftOut(name),
      within: this.isTrusted ? null : projectRoot,
    });
  }

  /** Makes the plan known and binds the files that lie ready for it. */
  async applyPlan(
    file: string,
  ): Promise<{ readonly plan: Plan; readonly changed: boolean; readonly status: PlanStatus }> {
    const plan = await this.readPlan(file);
    const store = await this.store();
    const { changed } = await applyPlan(store, plan);
    await releaseTasks(store, plan.id);
    await bindFiles(store, plan.id, this.#options.projectRoot, this.#planReach);
    return { plan, changed, status: await planStatus(store.db, plan.id) };
  }

  /** The plans that were applied. */
  async plans(): Promise<ListedPlan[]> {
    return listPlans(await this.history());
  }

  /** Where a plan that was applied stands, as the database has it; the file and what lies ready are not looked at. */
  async planStatus(id: string): Promise<PlanStatus | null> {
    const db = await this.history();
    const isKnown = await db.get("SELECT 1 AS known FROM plans WHERE plan_id = ?", [id]);
    return isKnown ? planStatus(db, id) : null;
  }

  /** Executes what is READY until nothing is left. */
  async runPlan(
    file: string,
    options: Partial<RunPlanOptions> & Pick<RunSkillRequest, "onWait"> = {},
  ): Promise<PlanStatus> {
    const { plan } = await this.applyPlan(file);
    const signal = options.signal ?? new AbortController().signal;
    const { parallel = 4, onProgress } = options;
    return runPlan(
      await this.store(),
      plan,
      (name, { inputs, params }, binding) =>
        this.#run(
          name,
          { inputs, params, signal, onWait: options.onWait, reach: this.#planReach },
          async () => binding,
        ),
      { projectRoot: this.#options.projectRoot, parallel, signal, onProgress },
    );
  }

  /** Binds evidence by hand. */
  async addEvidence(
    task: string,
    requirement: string,
    evidence: HandEvidence,
  ): Promise<{ readonly added: boolean; readonly status: PlanStatus }> {
    const store = await this.store();
    const row = await findTask(store.db, task);
    const { projectRoot, cwd = projectRoot } = this.#options;
    const bound = await bindByHand(row, requirement, evidence, { projectRoot, cwd, reach: this.#reach({}) });
    const added = await addPlanEvidence(store, row.planId, [{ ...bound, taskId: row.id }]);
    return { added: added > 0, status: await planStatus(store.db, row.planId) };
  }

  /** A plan is as far-reaching as the project is trusted. */
  get #planReach(): Reach {
    return this.isTrusted ? { kind: "anywhere" } : { kind: "project", reason: PLAN_OF_STRANGER };
  }

  #reach({ insideProjectOnly, reach }: InnerRequest): Reach {
    if (reach) return reach;
    if (insideProjectOnly)
      return {
        kind: "project",
        reason:
          'a model may only use files of the project. The user can copy the file there, or run the skill with "knack run".',
      };
    return { kind: this.isTrusted ? "anywhere" : "named" };
  }

  #find({ registered, errors }: SkillTable, name: string): Registered {
    const found = registered.get(typedNameOf([...registered.keys()], name) ?? name);
    if (found) return found;
    const names = fewOf(
      this.skills.map((skill) => skill.name),
      { next: '"knack registry" lists them all' },
    );
    // Nobody knows what a file that cannot be read would have declared.
    const unread = errors.find(
      ({ code }) => code === "E_REG_FILE" || code === "E_REG_SYNTAX" || code === "E_REG_VERSION",
    );
    const hint = unread ? ` ${unread.path}:${unread.line ?? 1} was not read: ${unread.message}` : "";
    throw new EngineError(
      "NOT_FOUND",
      this.whyLeftOut(name) ??
        `There is no typed skill ${quote(name)}; the typed skills are ${names}.${hint}`,
    );
  }

  #seconds(name: string, fallback: number): number {
    const text = this.#env[name] ?? "";
    const seconds = text === "" ? fallback : Number(text);
    if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
    throw new EngineError(
      "INVALID_PARAM",
      `${name} must be a number of seconds above 0, at most ${MAX_SECONDS}, found ${quote(text)}.`,
    );
  }
}
