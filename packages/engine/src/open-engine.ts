import type { Approval } from "@knack/core/config";
import type { PlanStatus } from "./plan/plan-report.ts";
import { ProjectPlans } from "./plan/project-plans.ts";
import type { RunPlanOptions } from "./plan/run-plan.ts";
import type { Queued, QueueRequest, QueueWaits, RunQueue } from "./queue/run-queue.ts";
import type { SkillTable } from "./registry/typed-skills.ts";
import { approvalOf, needsApproval } from "./run/approve.ts";
import type { EngineOptions } from "./run/skill-runs.ts";
import type { StateVerification } from "./state/engine-store.ts";
import type { Database } from "./store/database.ts";
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

export type { EngineOptions } from "./run/skill-runs.ts";

/** Opens the typed skills of a project. The database is opened when it is first needed. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const engine = new Engine(options);
  await engine.reload();
  return engine;
}

/** The typed skills of a project: what they are, their history and their queue. `SkillRuns` runs them, `ProjectPlans` plans. */
export class Engine extends ProjectPlans {
  #queue: Promise<RunQueue> | undefined;

  /** Reads the registry files again, or others from now on. Runs in flight go on as they began. */
  reload(registry?: readonly string[]): Promise<void> {
    return this.typed.reload(registry);
  }

  /** The typed skills that can be run, the built-in ones among them. */
  get skills(): SkillTable["skills"] {
    return this.typed.table.skills;
  }

  /** Entries that were left out, and why. */
  get errors(): SkillTable["errors"] {
    return this.typed.table.errors;
  }

  get warnings(): SkillTable["warnings"] {
    return this.typed.table.warnings;
  }

  /** Whether a model may see what the project declares. */
  get isTrusted(): boolean {
    return this.project.isTrusted;
  }

  /** Whether running it runs code of the project. */
  isCode(name: string): boolean {
    return this.typed.table.registered.get(name)?.implementation.executable.kind === "file";
  }

  /** All typed skills with code or rules of the project: what `knack trust` approves. */
  get approvals(): Approval[] {
    const registered = [...this.typed.table.registered.values()];
    const own = registered.filter((one) => needsApproval(one, this.project.projectRoot));
    return own.map(({ skill, implementation }) => approvalOf(skill, implementation.sources));
  }

  /** Why the entry of this name was skipped, with what to do; `undefined` if no entry has it. */
  whyLeftOut(name: string): string | undefined {
    return this.typed.whyLeftOut(name);
  }

  get leftOut(): string[] {
    return [...this.typed.table.leftOut.keys()];
  }

  get hasStore(): boolean {
    return this.state.exists;
  }

  /** Where the database is, for a person: never with a password. */
  get storePlace(): string {
    return this.state.shown;
  }

  /** Checks the log, and runs, artifacts, evidence and tasks against it. */
  verify(head?: string): Promise<StateVerification> {
    return this.state.verify(head);
  }

  /** The history of runs, newest first. */
  async runs(filter: RunFilter): Promise<SkillRun[]> {
    return listRuns(await this.#settledHistory(), filter);
  }

  /** The same with the results that were returned from an earlier run, page by page. */
  async runHistory(filter: HistoryFilter): Promise<HistoryEntry[]> {
    return runHistory(await this.#settledHistory(), filter);
  }

  async findRun(id: string): Promise<SkillRun | null> {
    return getRun(await this.#settledHistory(), id);
  }

  /** Runs whose process died are reported as interrupted. */
  async #settledHistory(): Promise<Database> {
    if (this.hasStore) await interruptExpired(await this.store());
    return this.history();
  }

  /** The queue of a store on PostgreSQL; throws `KnackError` with any other. Its code is loaded only here. */
  queue(): Promise<RunQueue> {
    this.#queue ??= this.#openQueue();
    this.#queue.catch(() => {
      this.#queue = undefined;
    });
    return this.#queue;
  }

  async #openQueue(): Promise<RunQueue> {
    const store = await this.store();
    const contents = await this.contents();
    const { RunQueue } = await import("./queue/run-queue.ts");
    return new RunQueue({ project: this.project, skills: this.typed, runs: this, store, contents });
  }

  /** Queues a run, or answers with the result of an earlier one. */
  async enqueue(name: string, request: QueueRequest = {}): Promise<Queued> {
    return (await this.queue()).enqueue(name, request, () => this.bindingOf(request.task));
  }

  /** Executes a plan by the queue. Without `follows` the READY tasks are queued and nothing is waited for. */
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
    return this.runPlan(file, { ...rest, signal }, async (name, request, bind) => {
      const queued = await queue.enqueue(name, { ...request, priority, isOwnRun: true }, bind);
      if (!follows && queued.queued) return "queued";
      return queue.outcome(queued, signal, waits);
    });
  }

  override async close(): Promise<void> {
    await this.endRuns();
    await (await this.#queue?.catch(() => undefined))?.close();
    await super.close();
  }
}
