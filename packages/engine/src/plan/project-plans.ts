import { resolve } from "node:path";
import { span } from "@knack/core/telemetry";
import { type ReceivedFile, receiveFile } from "../artifacts/receive-file.ts";
import type { TypedSkills } from "../registry/typed-skills.ts";
import { type Reach, reachOf } from "../run/prepare-run.ts";
import type { RunSkillRequest, SkillRuns } from "../run/skill-runs.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { Database } from "../store/database.ts";
import type { NewEvent, Store } from "../store/store.ts";
import {
  addPlanEvidence,
  bindByHand,
  bindFiles,
  checkFile,
  type HandEvidence,
  requirementOf,
} from "./evidence.ts";
import type { Plan } from "./plan.ts";
import { type ListedPlan, listPlans, type PlanStatus, planStatus } from "./plan-report.ts";
import { planRowRefs, removeTask, writeTask } from "./plan-rows.ts";
import { PLAN_OF_STRANGER, readPlanFile } from "./read-plan.ts";
import { type RunPlanOptions, runPlan } from "./run-plan.ts";
import { findTask, releaseTasks, settleTasks } from "./tasks.ts";

/** Makes the database say what the plan says. The evidence of tasks that stay is kept; twice changes nothing. */
async function applyPlan(store: Store, plan: Plan): Promise<{ readonly changed: boolean }> {
  const definition = JSON.stringify({ title: plan.title, tasks: plan.tasks });
  const { sha256 } = plan;
  return store.db.transaction(async (tx) => {
    const known = await tx.get("SELECT sha256, path FROM plans WHERE plan_id = ?", [plan.id]);
    if (known?.sha256 === sha256 && known.path === plan.file) return { changed: false };
    const at = store.now().toISOString();
    const before = await planRowRefs(tx, plan.id);
    await tx.run(
      `INSERT INTO plans (plan_id, title, path, sha256, data_json, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (plan_id) DO UPDATE SET title = excluded.title, path = excluded.path, sha256 = excluded.sha256,
         data_json = excluded.data_json, updated_at = excluded.updated_at`,
      [plan.id, plan.title, plan.file, sha256, definition, at, at],
    );
    // Edges and requirements have no state of their own: evidence knows its requirement by a name that stays.
    await tx.run("DELETE FROM task_edges WHERE plan_id = ?", [plan.id]);
    await tx.run("DELETE FROM input_requirements WHERE plan_id = ?", [plan.id]);
    const kept = new Set(plan.tasks.map(({ id }) => id));
    for (const { task_id } of await tx.all("SELECT task_id FROM task_nodes WHERE plan_id = ?", [plan.id])) {
      const id = String(task_id);
      if (!kept.has(id)) await removeTask(tx, plan.id, id);
    }
    for (const [position, task] of plan.tasks.entries()) await writeTask(tx, plan, task, position, at);
    const { events } = await settleTasks(tx, plan.id, at);
    // Also recorded if no task changes its state, because the definition of the plan has changed.
    const applied: NewEvent = {
      type: "STATUS_CHANGED",
      planId: plan.id,
      taskId: null,
      runId: null,
      payload: { plan: plan.id, applied: sha256 },
    };
    const rows = [...before, ...(await planRowRefs(tx, plan.id))];
    await store.record(tx, events.length === 0 ? [applied] : events, { actor: store.actor, at, rows });
    return { changed: true };
  });
}

interface ProjectPlansOptions {
  readonly project: EngineProject;
  readonly skills: TypedSkills;
  readonly runs: SkillRuns;
  /** The database, made if there is none. */
  readonly store: () => Promise<Store>;
  /** The same for reading alone: nothing is made for it. */
  readonly history: () => Promise<Database>;
}

/** As `SkillRuns.run`. */
type RunElsewhere = SkillRuns["run"];

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
