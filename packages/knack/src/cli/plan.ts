import { SkillError } from "@knack/core";
import {
  type Engine,
  keptSentence,
  type PlanStatus,
  type PlanStep,
  planAsDot,
  planAsMermaid,
  type TaskReport,
} from "@knack/engine";
import { withEngine } from "../host/open-project.ts";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { isTerminal, note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl } from "../terminal/visible.ts";
import { readCount } from "./read-count.ts";
import { refuseQueueOptions, runPlanInQueue } from "./run.ts";

export interface PlanOptions extends GlobalOptions {
  readonly format?: "mermaid" | "dot";
  readonly parallel?: string;
  readonly queue?: boolean;
  readonly priority?: string;
  readonly wait?: boolean;
}

export async function planApply(file: string, options: PlanOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const { status, changed, plan } = await engine.applyPlan(file);
    if (options.json) printJson(status);
    else {
      printStatus(status, options);
      note(
        painter(options, 2)("dim", `${escapeControl(plan.id)} ${changed ? "was applied" : "is unchanged"}`),
      );
    }
  });
}

export async function planStatus(file: string, options: PlanOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const { status } = await engine.applyPlan(file);
    if (options.format === "mermaid") print(planAsMermaid(status.tasks).trimEnd());
    else if (options.format === "dot") print(planAsDot(status.tasks).trimEnd());
    else if (options.json) printJson(status);
    else printStatus(status, options);
  });
}

export async function planRun(file: string, options: PlanOptions): Promise<void> {
  const parallel = readCount("--parallel", options.parallel, 4);
  refuseQueueOptions(options);
  const work = async (engine: Engine): Promise<void> => {
    const shared = {
      signal: interruptible(),
      onProgress: isTerminal(2)
        ? ({ task, status: now, cached }: PlanStep) =>
            note(`${now.padEnd(11)} ${escapeControl(task)}${cached ? " (from an earlier run)" : ""}`)
        : undefined,
    };
    const status = options.queue
      ? await runPlanInQueue(engine, file, shared, options)
      : await engine.runPlan(file, { ...shared, parallel, onWait: (line) => note(escapeControl(line)) });
    const wrong = status.tasks.some(
      ({ error, status: now, blocked_reason }) =>
        error || now === "FAILED" || blocked_reason === "WAITING_EXTERNAL",
    );
    if (wrong) process.exitCode = 1;
    for (const { kept = [] } of status.tasks)
      for (const edit of kept) note(escapeControl(keptSentence(edit)));
    if (options.json) printJson(status);
    else printStatus(status, options);
  };
  await withEngine(options, work, { keepsWarm: true });
}

function printStatus({ tasks }: PlanStatus, options: GlobalOptions): void {
  const columns = [{ title: "TASK" }, { title: "STATUS" }, { title: "NEEDS", flexible: true }];
  const [head = "", ...lines] = table(columns, tasks.map(row), terminalWidth());
  print([painter(options)("bold", head), ...lines].join("\n"));
}

function row(task: TaskReport): string[] {
  const state = task.blocked_reason === null ? task.status : `${task.status} ${task.blocked_reason}`;
  const needs = [
    ...(task.status === "PENDING" ? task.depends_on.map((before) => `after ${before}`) : []),
    ...task.requirements
      .filter(({ satisfied, required }) => required && !satisfied)
      .map(({ name, kind, have, min_count }) => `${name}: ${kind} ${have}/${min_count}`),
    ...(task.error ? [`${task.error.code}: ${task.error.message}`] : []),
    ...(task.blocked_reason === "WAITING_EXTERNAL"
      ? ["failed three times in a row; edit the plan or add evidence to try again"]
      : []),
    ...(task.cached ? ["from an earlier run"] : []),
  ];
  return [escapeControl(task.id), state, escapeControl(needs.join("; "))];
}

export interface EvidenceOptions extends GlobalOptions {
  readonly file?: string;
  readonly confirm?: boolean;
}

/** Attaches evidence by hand: a file or a confirmation. */
export async function addEvidence(
  task: string,
  requirement: string,
  options: EvidenceOptions,
): Promise<void> {
  const { file, confirm } = options;
  if ((file === undefined) === !confirm)
    throw new SkillError("INVALID_PARAM", "Use either --file PATH or --confirm.");
  await withEngine(options, async (engine) => {
    const by = process.env.USER ?? process.env.LOGNAME;
    const evidence = file === undefined ? ({ confirm: true, ...(by ? { by } : {}) } as const) : { file };
    const { added, status } = await engine.addEvidence(task, requirement, evidence);
    const id = task.split("/").at(-1);
    const now = status.tasks.find((one) => one.id === id);
    if (options.json) {
      printJson({ added, task: now });
      return;
    }
    const state = now?.blocked_reason ? `${now.status} ${now.blocked_reason}` : now?.status;
    print(
      `${added ? "Attached to" : "Already attached to"} ${escapeControl(requirement)} of ${escapeControl(task)}, which is ${state}.`,
    );
  });
}
