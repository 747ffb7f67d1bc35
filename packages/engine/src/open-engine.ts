import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isApproved, isTrusted, type TrustPlace } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { openLog } from "./audit/open-log.ts";
import { EngineError } from "./engine-error.ts";
import { addPlanEvidence } from "./plan/add-evidence.ts";
import { applyPlan } from "./plan/apply-plan.ts";
import { bindByHand, type HandEvidence } from "./plan/bind-by-hand.ts";
import { bindFiles } from "./plan/bind-files.ts";
import { findTask } from "./plan/find-task.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlanStatus, planStatus } from "./plan/plan-status.ts";
import { readPlan } from "./plan/read-plan.ts";
import { type RunPlanOptions, runPlan } from "./plan/run-plan.ts";
import { taskBinding } from "./plan/task-binding.ts";
import { segmentProblem } from "./registry/path-segment.ts";
import { register, type SkillTable } from "./registry/register.ts";
import type { Registered } from "./registry/registered.ts";
import type { GivenInput } from "./run/assign-roles.ts";
import { ownNamespace } from "./run/namespace.ts";
import { type PreparedRun, prepareRun } from "./run/prepare-run.ts";
import { type FinishedRun, NO_TASK, type RunBinding, runSkill } from "./run/run-skill.ts";
import { storeExists } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";

export interface EngineOptions {
  readonly projectRoot: string;
  /** What relative paths of inputs are relative to; the project root by default. */
  readonly cwd?: string;
  /** Registry files, absolute. */
  readonly registry: readonly string[];
  /** `sqlite:/absolute/path`. */
  readonly store: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /**
   * Whether code of the project may run. A program that embeds the engine has decided: `true` by default. `"ask"`: what the
   * user trusted, byte for byte (`knack trust`).
   */
  readonly trusted?: boolean | "ask";
  /** Who acts, for the log. */
  readonly actor?: string;
}

export interface RunSkillRequest {
  readonly inputs?: readonly GivenInput[];
  readonly params?: unknown;
  /** `task` or `plan/task` of an applied plan; another word is only written into paths and records. */
  readonly task?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLog?: ((line: string) => void) | undefined;
  /** A model may name files of the project alone. */
  readonly insideProjectOnly?: boolean | undefined;
}

/** Opens the typed skills of a project. The database is opened when it is first needed. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const table = await register(options.registry, options.projectRoot);
  return new Engine(options, table);
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #place: TrustPlace;
  readonly #table: SkillTable;
  #store: Promise<Store> | undefined;

  /** @internal Use `openEngine`. */
  constructor(options: EngineOptions, table: SkillTable) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#place = { env: this.#env, home: options.home ?? homeFolder(this.#env) };
    this.#table = table;
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

  /** Whether running it runs code of the project. */
  isCode(name: string): boolean {
    return this.#table.registered.get(name)?.implementation.executable.kind === "file";
  }

  /** Digests of all code of the project that could run: what `knack trust` approves. */
  get codeDigests(): string[] {
    const codes = [...this.#table.registered.values()].filter(
      ({ implementation }) => implementation.executable.kind === "file",
    );
    return codes.map(({ implementation }) => implementation.sources).sort();
  }

  /** Whether there is a database already. */
  get hasStore(): boolean {
    return this.#store !== undefined || storeExists(this.#options.store);
  }

  /** The database, made if there is none. */
  store(): Promise<Store> {
    const { actor = "library" } = this.#options;
    this.#store ??= openLog(this.#options.store, actor);
    return this.#store;
  }

  async close(): Promise<void> {
    const store = await this.#store;
    this.#store = undefined;
    await store?.db.close();
  }

  /** Checks a request and computes its key; runs nothing. */
  async prepare(name: string, request: RunSkillRequest = {}): Promise<PreparedRun> {
    const { projectRoot, cwd = projectRoot } = this.#options;
    return prepareRun(
      this.#find(name),
      { inputs: request.inputs ?? [], params: request.params ?? {} },
      {
        projectRoot,
        cwd,
        env: this.#env,
        namespace: this.#isTrusted() ? "" : ownNamespace(this.#place),
        insideProjectOnly: request.insideProjectOnly ?? false,
        signal: request.signal ?? new AbortController().signal,
      },
    );
  }

  /** Runs a typed skill, or serves what an earlier run of the same key made. Throws `EngineError` where it is refused. */
  async run(name: string, request: RunSkillRequest = {}): Promise<FinishedRun> {
    this.#permitCode(this.#find(name));
    const prepared = await this.prepare(name, request);
    return this.#run(prepared, await this.#bindingOf(request.task), request);
  }

  async #run(prepared: PreparedRun, binding: RunBinding, request: RunSkillRequest): Promise<FinishedRun> {
    return runSkill(await this.store(), prepared, binding, {
      projectRoot: this.#options.projectRoot,
      leaseMs: this.#seconds("KNACK_RUN_LEASE_SECONDS", 30) * 1000,
      timeoutMs: this.#seconds("KNACK_RUN_TIMEOUT_SECONDS", 600) * 1000,
      signal: request.signal ?? new AbortController().signal,
      onLog: request.onLog,
    });
  }

  /** Reads and checks a plan; throws `EngineError` with every problem and its line. */
  async readPlan(file: string): Promise<Plan> {
    const path = resolve(this.#options.cwd ?? this.#options.projectRoot, file);
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      throw new EngineError(
        "NOT_FOUND",
        `${path} cannot be read (${error instanceof Error && "code" in error ? error.code : error}).`,
      );
    }
    const plan = readPlan(text, path, new Map(this.skills.map((skill) => [skill.name, skill])));
    if (!("id" in plan)) {
      throw new EngineError(
        "INVALID_PARAM",
        plan.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"),
      );
    }
    return plan;
  }

  /** Makes the plan known and binds the files that lie ready for it. */
  async applyPlan(
    file: string,
  ): Promise<{ readonly plan: Plan; readonly changed: boolean; readonly status: PlanStatus }> {
    const plan = await this.readPlan(file);
    const store = await this.store();
    const { changed } = await applyPlan(store, plan);
    await bindFiles(store, plan.id, this.#options.projectRoot);
    return { plan, changed, status: await planStatus(store.db, plan.id) };
  }

  /** Executes what is READY until nothing is left. */
  async runPlan(file: string, options: Partial<RunPlanOptions> = {}): Promise<PlanStatus> {
    const { plan } = await this.applyPlan(file);
    const signal = options.signal ?? new AbortController().signal;
    const { parallel = 4, onProgress } = options;
    // Files that a plan names are beside it, wherever it was called from.
    const beside = (inputs: readonly GivenInput[]): GivenInput[] =>
      inputs.map(({ role, path }) => ({ role, path: resolve(dirname(plan.file), path) }));
    return runPlan(
      await this.store(),
      plan,
      async (name, { inputs, params }, binding) => {
        this.#permitCode(this.#find(name));
        return this.#run(await this.prepare(name, { inputs: beside(inputs), params, signal }), binding, {
          signal,
        });
      },
      { parallel, signal, onProgress },
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
    const bound = await bindByHand(row, requirement, evidence, { projectRoot, cwd });
    const added = await addPlanEvidence(store, row.planId, [{ ...bound, taskId: row.id }]);
    return { added: added > 0, status: await planStatus(store.db, row.planId) };
  }

  #isTrusted(): boolean {
    const { trusted = true, projectRoot } = this.#options;
    return trusted === "ask" ? isTrusted(projectRoot, this.#place) : trusted;
  }

  #find(name: string): Registered {
    const found = this.#table.registered.get(name);
    if (found) return found;
    const names = this.skills.map((skill) => skill.name).join(", ");
    throw new EngineError(
      "NOT_FOUND",
      `There is no typed skill ${JSON.stringify(name)}; there are ${names}.`,
    );
  }

  /** Until the user trusts it, byte for byte, none of a project's code runs. */
  #permitCode({ skill, implementation: { executable, sources } }: Registered): void {
    if (executable.kind === "builtin") return;
    const { trusted = true, projectRoot } = this.#options;
    if (trusted === true || (trusted === "ask" && isApproved(projectRoot, sources, this.#place))) return;
    throw new EngineError(
      "ACCESS_DENIED",
      `${skill.name} runs code of this project that you have not trusted as it is now; read it, then "knack trust".`,
    );
  }

  async #bindingOf(task: string | undefined): Promise<RunBinding> {
    if (task === undefined) return NO_TASK;
    const store = await this.store();
    const row = await findTask(store.db, task).catch((error: unknown) => {
      // A word that no plan knows groups runs and their artifacts all the same; it becomes a folder's name.
      if (error instanceof EngineError && error.code === "NOT_FOUND" && !task.includes("/")) return undefined;
      throw error;
    });
    if (row) return taskBinding(store, { planId: row.planId, taskId: row.id }, false);
    const problem = segmentProblem(task);
    if (problem)
      throw new EngineError(
        "INVALID_PARAM",
        `The task ${JSON.stringify(task.slice(0, 80))} ${problem} (E_ARTIFACT_PATH)`,
      );
    return { ...NO_TASK, task: { planId: null, taskId: task } };
  }

  #seconds(name: string, fallback: number): number {
    const text = this.#env[name] ?? "";
    const seconds = text === "" ? fallback : Number(text);
    if (Number.isFinite(seconds) && seconds > 0) return seconds;
    throw new EngineError(
      "INVALID_PARAM",
      `${name} must be a number of seconds, found ${JSON.stringify(text)}.`,
    );
  }
}
