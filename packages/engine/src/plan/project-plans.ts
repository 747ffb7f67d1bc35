import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { canonical, isInside } from "@knack/core/files";
import { span } from "@knack/core/telemetry";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import { type ReceivedFile, receiveFile } from "../artifacts/place-artifact.ts";
import { segmentProblem } from "../registry/path-template.ts";
import { type InnerRequest, type Reach, type RunSkillRequest, reachOf } from "../run/prepare-run.ts";
import { type FinishedRun, NO_TASK, type RunBinding } from "../run/run-skill.ts";
import { SkillRuns } from "../run/skill-runs.ts";
import { insertRow } from "../store/database.ts";
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
import { listPlans, missingOf, type PlanStatus, planStatus } from "./plan-report.ts";
import { planRowRefs, removeTask, type TaskRow, taskDigest, writeTask } from "./plan-rows.ts";
import { PLAN_OF_STRANGER, readPlanFile } from "./read-plan.ts";
import { inputDigests, type RunForTask, type RunPlanOptions, runPlan } from "./run-plan.ts";
import { findTask, releaseTasks, settleTasks, taskBinding } from "./tasks.ts";

async function applyPlan(store: Store, plan: Plan): Promise<{ readonly changed: boolean }> {
  const definition = JSON.stringify({ title: plan.title, tasks: plan.tasks });
  const { sha256 } = plan;
  return store.db.transaction(async (tx) => {
    const known = await tx.get("SELECT sha256, path FROM plans WHERE plan_id = ?", [plan.id]);
    if (known?.sha256 === sha256 && known.path === plan.file) return { changed: false };
    const at = store.now().toISOString();
    const before = await planRowRefs(tx, plan.id);
    const { id: plan_id, title, file: path } = plan;
    await insertRow(
      tx,
      "plans",
      { plan_id, title, path, sha256, data_json: definition, created_at: at, updated_at: at },
      `ON CONFLICT (plan_id) DO UPDATE SET title = excluded.title, path = excluded.path, sha256 = excluded.sha256,
         data_json = excluded.data_json, updated_at = excluded.updated_at`,
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
    const payload = { plan: plan.id, applied: sha256 };
    const applied: NewEvent = { type: "STATUS_CHANGED", planId: plan.id, payload };
    const rows = [...before, ...(await planRowRefs(tx, plan.id))];
    await store.record(tx, events.length === 0 ? [applied] : events, { actor: store.actor, at, rows });
    return { changed: true };
  });
}

const PLAN_OF_MODEL =
  'a plan that a model runs reads only files of the project. Copy the file into the project, or run the plan at the terminal: "knack plan run".';

function taskText({ skill, title, inputs, params }: TaskRow): string {
  const files = inputs.map((input) => ("file" in input ? input.file : `${input.artifact} of ${input.task}`));
  const values = Object.entries(params).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return fewOf([skill ?? title, ...files, ...values].map(shorten));
}

type PermitTask = (
  skill: string,
  given: Pick<RunSkillRequest, "inputs" | "params"> & { readonly task: string },
) => Promise<void>;

interface Evidenced {
  /** False if the same evidence was there already. */
  readonly added: boolean;
  readonly status: PlanStatus;
}

/** As for a part of an artifact's path. */
const MAX_ID_BYTES = 200;

export class ProjectPlans extends SkillRuns {
  override run(
    name: string,
    request: InnerRequest = {},
    bind = () => this.bindingOf(request.task),
  ): Promise<FinishedRun> {
    return super.run(name, request, bind);
  }

  /** What `--task` means: `task` or `plan/task` of an applied plan. Anything else is refused before a database is made. */
  protected async bindingOf(task: string | undefined): Promise<RunBinding> {
    if (task === undefined) return NO_TASK;
    for (const part of task.split("/")) {
      const isLong = Buffer.byteLength(part) > MAX_ID_BYTES;
      const problem = segmentProblem(part) ?? (isLong ? `has more than ${MAX_ID_BYTES} bytes.` : undefined);
      if (problem === undefined) continue;
      const which = part === task ? "" : `: the part ${quote(part)}`;
      throw new KnackError("INVALID_PARAM", `E_ARTIFACT_PATH: The task ${quote(task)}${which} ${problem}`);
    }
    const { planId, id } = await findTask(await this.history(), task);
    return taskBinding(await this.store(), { planId, taskId: id }, false);
  }

  /** Reads and checks a plan; throws `KnackError` with every problem and its line. */
  async readPlan(file: string): Promise<Plan> {
    const { cwd, isTrusted, projectRoot } = this.project;
    const { registered } = await this.typed.current();
    return readPlanFile(resolve(cwd, file), {
      registered,
      whyLeftOut: (name) => this.typed.whyLeftOut(name),
      within: isTrusted ? null : projectRoot,
    });
  }

  /** The file of a plan: of one that was applied by its name, else at this path. Throws `KnackError` where there is none. */
  async planFile(
    given: string,
    { insideProjectOnly = false }: Pick<RunSkillRequest, "insideProjectOnly"> = {},
  ): Promise<string> {
    const { cwd, projectRoot } = this.project;
    const db = await this.history();
    const applied = await db.get("SELECT path FROM plans WHERE plan_id = ?", [given]);
    const file = resolve(cwd, String(applied?.path ?? given));
    if (insideProjectOnly && !isInside(canonical(file), projectRoot))
      throw new KnackError(
        "ACCESS_DENIED",
        `The plan ${quote(given)} is outside the project. Copy it into the project, or run it at the terminal: "knack plan run".`,
      );
    if (applied || existsSync(file)) return file;
    const known = fewOf((await listPlans(db)).map(({ plan }) => plan)) || "none";
    throw new KnackError(
      "NOT_FOUND",
      `There is no plan ${quote(given)}, by its name or the path of its file. Plans that were applied here: ${known}.`,
    );
  }

  /** Makes the plan known and binds the files that lie ready for it. */
  async applyPlan(
    file: string,
    { insideProjectOnly }: Pick<RunSkillRequest, "insideProjectOnly"> = {},
  ): Promise<{ readonly plan: Plan; readonly changed: boolean; readonly status: PlanStatus }> {
    const plan = await this.readPlan(file);
    const store = await this.store();
    const { changed } = await applyPlan(store, plan);
    await releaseTasks(store, plan.id);
    await bindFiles(store, plan.id, this.project.projectRoot, this.#reach(insideProjectOnly));
    return { plan, changed, status: await planStatus(store.db, plan.id) };
  }

  async plans(): ReturnType<typeof listPlans> {
    return listPlans(await this.history());
  }

  /** Where a plan that was applied stands, as the database has it; the file and what lies ready are not looked at. */
  async planStatus(id: string): Promise<PlanStatus | null> {
    const db = await this.history();
    const isKnown = await db.get("SELECT 1 AS known FROM plans WHERE plan_id = ?", [id]);
    return isKnown ? planStatus(db, id) : null;
  }

  /** Executes what is READY until nothing is left. */
  runPlan(
    file: string,
    options: Partial<RunPlanOptions> &
      Pick<RunSkillRequest, "onWait" | "insideProjectOnly" | "actor"> & {
        /** Throws where the skill of a task may not run now. Not asked where a DONE task is still as it was. */
        readonly permit?: PermitTask | undefined;
      } = {},
    /** Runs each task in another way: by the queue, which runs as many at once as there are workers. */
    elsewhere?: (...given: Parameters<SkillRuns["run"]>) => ReturnType<RunForTask>,
  ): Promise<PlanStatus> {
    return span("plan.run", {}, async (traced) => {
      const { plan } = await this.applyPlan(file, options);
      traced.set({ "knack.plan.id": plan.id, "knack.plan.tasks": plan.tasks.length });
      const { parallel = 4, signal = new AbortController().signal, onProgress, onWait, permit } = options;
      const run: RunForTask = async (name, asked, binding, { id, isDone }) => {
        const reach = this.#reach(options.insideProjectOnly);
        const request = { ...asked, signal, onWait, reach, actor: options.actor };
        if (elsewhere) return elsewhere(name, request, async () => binding);
        if (permit) {
          const { served } = isDone ? await this.prepareOrServe(name, request, binding) : {};
          if (served) return served;
          await this.refuseForbidden(name);
          await permit(name, { inputs: asked.inputs, params: asked.params, task: `${plan.id}/${id}` });
        }
        return this.run(name, request, async () => binding);
      };
      return runPlan(await this.store(), plan, run, {
        projectRoot: this.project.projectRoot,
        parallel: elsewhere ? Number.POSITIVE_INFINITY : parallel,
        task: options.task,
        signal,
        onProgress,
        isFollowing: elsewhere !== undefined,
        fetch: (artifact) => this.fetchArtifact(artifact),
      });
    });
  }

  async addEvidence(task: string, requirement: string, evidence: HandEvidence): Promise<Evidenced> {
    const { project } = this;
    const store = await this.store();
    const row = await findTask(store.db, task);
    const within = { projectRoot: project.projectRoot, reach: this.#reach() };
    const reach = reachOf({}, project.isTrusted);
    const inputs = () => inputDigests(store.db, row, within);
    const bound = await bindByHand(row, requirement, evidence, project, reach, inputs);
    const added = await addPlanEvidence(store, row.planId, [bound]);
    return { added: added > 0, status: await planStatus(store.db, row.planId) };
  }

  /** Keeps an uploaded file below `workspace/attached/` and binds it; writes nothing if the requirement does not take it. */
  async attach(
    task: string,
    requirement: string,
    file: ReceivedFile,
  ): Promise<Evidenced & { readonly path: string }> {
    const { projectRoot } = this.project;
    const row = await findTask(await this.history(), task);
    checkFile(requirementOf(row, requirement), file.name);
    const path = await receiveFile(projectRoot, [row.planId, row.id, requirement], file);
    const id = `${row.planId}/${row.id}`;
    return { path, ...(await this.addEvidence(id, requirement, { file: resolve(projectRoot, path) })) };
  }

  /** Asks a person for each confirmation that a task lacks, and attaches it. `ask` answers who confirmed, or throws. */
  async confirmTask(
    task: string,
    ask: (requirement: string, what: string) => Promise<string>,
  ): Promise<void> {
    const { db } = await this.store();
    const row = await findTask(db, task);
    for (const { name, kind } of missingOf(row)) {
      if (kind !== "CONFIRMATION") continue;
      const by = await ask(name, taskText(row));
      if (taskDigest(await findTask(db, task)) !== taskDigest(row))
        throw new KnackError("CONFLICT", `The task ${task} was changed while somebody was asked. Ask again.`);
      await this.addEvidence(task, name, { confirm: true, by });
    }
  }

  /** A plan may read files elsewhere only if its project is trusted and no model runs it. */
  #reach(insideProjectOnly = false): Reach {
    if (!this.project.isTrusted) return { kind: "project", reason: PLAN_OF_STRANGER };
    return insideProjectOnly ? { kind: "project", reason: PLAN_OF_MODEL } : { kind: "anywhere" };
  }
}
