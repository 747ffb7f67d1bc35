import {
  type Engine,
  keptSentence,
  needsAttention,
  type PlanStatus,
  type PlanStep,
  planAsDot,
  planAsMermaid,
  type TaskReport,
  taskNeeds,
  taskState,
  userName,
} from "@knack/engine";
import { refuseAgentCommands } from "../host/access.ts";
import { withEngine } from "../host/open-project.ts";
import { placeAt } from "../host/place.ts";
import { interruptible } from "../host/signals.ts";
import { type GlobalOptions, invalid } from "../options.ts";
import { isTerminal, note, print, printAnswer, remark } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { escapeControl } from "../terminal/visible.ts";
import { refuseQueueOptions, runPlanInQueue } from "./run.ts";
import type { CommandOptions } from "./table/table.ts";

export async function planApply(file: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const { status, changed, plan } = await engine.applyPlan(file);
    printAnswer(options, status, statusText(status));
    if (!options.json) remark(`${escapeControl(plan.id)} ${changed ? "was applied" : "is unchanged"}`);
  });
}

export async function showPlanStatus(file: string, options: CommandOptions<"plan status">): Promise<void> {
  await withEngine(options, async (engine) => {
    const { status } = await engine.applyPlan(file);
    if (options.format === "mermaid") print(planAsMermaid(status.tasks).trimEnd());
    else if (options.format === "dot") print(planAsDot(status.tasks).trimEnd());
    else printAnswer(options, status, statusText(status));
  });
}

export async function planRun(file: string, options: CommandOptions<"plan run">): Promise<void> {
  const { parallel = 4 } = options;
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
    if (status.tasks.some(needsAttention)) process.exitCode = 1;
    for (const { kept = [] } of status.tasks)
      for (const edit of kept) note(escapeControl(keptSentence(edit)));
    printAnswer(options, status, statusText(status));
  };
  await withEngine(options, work, { keepsWarm: true });
}

const TASK_COLUMNS: readonly CellColumn<TaskReport>[] = [
  { title: "TASK", cell: ({ id }) => id },
  { title: "STATUS", cell: taskState },
  { title: "NEEDS", flexible: true, cell: (task) => taskNeeds(task).join("; ") },
];

const MISSING_COLUMNS: readonly CellColumn<{ what: string; command: string }>[] = [
  { title: "MISSING", cell: ({ what }) => what },
  { title: "GIVEN BY", flexible: true, cell: ({ command }) => command },
];

function statusText({ tasks }: PlanStatus): string {
  const missing = tasks.flatMap(({ id, waits_for }) =>
    waits_for.map(({ requirement, command }) => ({ what: `${id}: ${requirement}`, command })),
  );
  const needs = missing.length > 0 ? ["", ...tableLines(missing, MISSING_COLUMNS)] : [];
  return [...tableLines(tasks, TASK_COLUMNS), ...needs].join("\n");
}

export async function addEvidence(
  task: string,
  requirement: string,
  options: CommandOptions<"evidence add">,
): Promise<void> {
  const { file, confirm } = options;
  if ((file === undefined) === !confirm) throw invalid("Use either --file PATH or --confirm.");
  if (confirm) await refuseAgentCommands(placeAt(options));
  await withEngine(options, async (engine) => {
    const by = userName(process.env);
    const evidence = file === undefined ? ({ confirm: true, by } as const) : { file };
    const { added, status } = await engine.addEvidence(task, requirement, evidence);
    const id = task.split("/").at(-1);
    const now = status.tasks.find((one) => one.id === id);
    const what = `${escapeControl(requirement)} of ${escapeControl(task)}`;
    const done = `${added ? "Attached to" : "Already attached to"} ${what}, which is ${now && taskState(now)}.`;
    printAnswer(options, { added, task: now }, done);
  });
}
