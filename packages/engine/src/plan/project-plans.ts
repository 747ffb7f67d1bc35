import { resolve } from "node:path";
import { span } from "@knack/core/internal/engine";
import { type ReceivedFile, receiveFile } from "../artifacts/receive-file.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import { type Reach, reachOf } from "../run/prepare/reach.ts";
import type { FinishedRun, RunBinding } from "../run/run-skill.ts";
import type { RunSkillRequest, SkillRuns } from "../run/skill-runs.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { applyPlan } from "./apply-plan.ts";
import { addPlanEvidence } from "./evidence/add-evidence.ts";
import { bindByHand, checkFile, type HandEvidence, requirementOf } from "./evidence/bind-by-hand.ts";
import { bindFiles } from "./evidence/bind-files.ts";
import { type ListedPlan, listPlans } from "./list-plans.ts";
import type { Plan } from "./plan.ts";
import { type PlanStatus, planStatus } from "./plan-status.ts";
import { PLAN_OF_STRANGER } from "./read/check-inputs.ts";
import { readPlanFile } from "./read/read-plan-file.ts";
import { type RunPlanOptions, runPlan } from "./run-plan.ts";
import { bindingOf } from "./task/binding-of.ts";
import { findTask } from "./task/find-task.ts";
import { releaseTasks } from "./task/release-tasks.ts";

export interface ProjectPlansOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  /** The database, made if there is none. */
  readonly store: () => Promise<Store>;
  /** The same for reading alone: nothing is made for it. */
  readonly history: () => Promise<Database>;
}

/** As `SkillRuns.run`. */
export type RunElsewhere = SkillRuns["run"];

export interface AppliedPlan {
  readonly plan: Plan;
  readonly changed: boolean;
  readonly status: PlanStatus;
}

export interface Evidenced {
  /** False if the same evidence was there already. */
  readonly added: boolean;
  readonly status: PlanStatus;
}

export interface Attached extends Evidenced {
  /** Where the file is, relative to the project. */
  readonly path: string;
}

/** The plans of one project: its files, what was applied, and the runs of their tasks. */
export class ProjectPlans {
  readonly #options: ProjectPlansOptions;

  constructor(options: ProjectPlansOptions) {
    this.#options = options;
  }

  async read(file: string): Promise<Plan> {
    const { project, skills } = this.#options;
    const { registered } = await skills.current();
    return readPlanFile(resolve(project.cwd, file), {
      registered,
      whyLeftOut: (name) => skills.whyLeftOut(name),
      within: project.isTrusted ? null : project.projectRoot,
    });
  }

  async apply(file: string): Promise<AppliedPlan> {
    const plan = await this.read(file);
    const store = await this.#options.store();
    const { changed } = await applyPlan(store, plan);
    await releaseTasks(store, plan.id);
    await bindFiles(store, plan.id, this.#options.project.projectRoot, this.#reach);
    return { plan, changed, status: await planStatus(store.db, plan.id) };
  }

  async list(): Promise<ListedPlan[]> {
    return listPlans(await this.#options.history());
  }

  async status(id: string): Promise<PlanStatus | null> {
    const db = await this.#options.history();
    const isKnown = await db.get("SELECT 1 AS known FROM plans WHERE plan_id = ?", [id]);
    return isKnown ? planStatus(db, id) : null;
  }

  /** Runs one skill, for the task that the request names. */
  runForTask(name: string, request: RunSkillRequest): Promise<FinishedRun> {
    return this.#options.runs.run(name, request, () => this.bindingOf(request.task));
  }

  /** What a run for this task writes besides. */
  bindingOf(task: string | undefined): Promise<RunBinding> {
    const { history, store } = this.#options;
    return bindingOf(history, store, task);
  }

  run(
    file: string,
    options: Partial<RunPlanOptions> & Pick<RunSkillRequest, "onWait">,
    elsewhere?: RunElsewhere,
  ): Promise<PlanStatus> {
    return span("plan.run", {}, async (traced) => {
      const { plan } = await this.apply(file);
      traced.set({ "knack.plan.id": plan.id, "knack.plan.tasks": plan.tasks.length });
      return this.#run(plan, options, elsewhere);
    });
  }

  async #run(
    plan: Plan,
    options: Partial<RunPlanOptions> & Pick<RunSkillRequest, "onWait">,
    /** Runs each task in another way: by the queue, which runs as many at once as there are workers. */
    elsewhere?: RunElsewhere,
  ): Promise<PlanStatus> {
    const { project, runs, store } = this.#options;
    const { parallel = 4, signal = new AbortController().signal, onProgress, onWait } = options;
    return runPlan(
      await store(),
      plan,
      (name, { inputs, params }, binding) => {
        const request = { inputs, params, signal, onWait, reach: this.#reach };
        if (elsewhere) return elsewhere(name, request, async () => binding);
        return runs.run(name, request, async () => binding);
      },
      {
        projectRoot: project.projectRoot,
        parallel: elsewhere ? Number.POSITIVE_INFINITY : parallel,
        signal,
        onProgress,
        isFollowing: elsewhere !== undefined,
        fetch: (artifact) => runs.fetch(artifact),
      },
    );
  }

  async addEvidence(task: string, requirement: string, evidence: HandEvidence): Promise<Evidenced> {
    const { projectRoot, cwd, isTrusted } = this.#options.project;
    const store = await this.#options.store();
    const row = await findTask(store.db, task);
    const reach = reachOf({}, isTrusted);
    const bound = await bindByHand(row, requirement, evidence, { projectRoot, cwd, reach });
    const added = await addPlanEvidence(store, row.planId, [{ ...bound, taskId: row.id }]);
    return { added: added > 0, status: await planStatus(store.db, row.planId) };
  }

  /** Keeps an uploaded file in the project and attaches it. Nothing is written if the requirement does not take the file. */
  async attach(task: string, requirement: string, file: ReceivedFile): Promise<Attached> {
    const { projectRoot } = this.#options.project;
    const row = await findTask(await this.#options.history(), task);
    checkFile(requirementOf(row, requirement), file.name);
    const path = await receiveFile(projectRoot, [row.planId, row.id, requirement], file);
    const id = `${row.planId}/${row.id}`;
    return { path, ...(await this.addEvidence(id, requirement, { file: resolve(projectRoot, path) })) };
  }

  /** A plan may read files elsewhere only if its project is trusted. */
  get #reach(): Reach {
    const { isTrusted } = this.#options.project;
    return isTrusted ? { kind: "anywhere" } : { kind: "project", reason: PLAN_OF_STRANGER };
  }
}
