import { quote } from "@knack/core/text";
import { isTag, type QueueEntry, type WorkerEvent, type WorkerReport } from "@knack/engine";
import { withEngine } from "../host/open-project.ts";
import { type GlobalOptions, invalid } from "../options.ts";
import { note, paint, print, printAnswer, printJson, remark } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { escapeControl, pluralize, shortTime } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

const ENTRY_COLUMNS: readonly CellColumn<QueueEntry>[] = [
  { title: "STATE", cell: ({ state }) => state },
  { title: "SKILL", cell: ({ skill }) => skill },
  { title: "TASK", drop: 3, cell: ({ task }) => task ?? "" },
  { title: "SINCE", drop: 1, cell: ({ since }) => shortTime(since) },
  { title: "ID", drop: 4, cell: ({ id }) => id },
  { title: "WORKER", drop: 2, cell: ({ worker }) => worker ?? "" },
  { title: "WHY", flexible: true, least: 12, cell: ({ error }) => error ?? "" },
];

const WORKER_COLUMNS: readonly CellColumn<WorkerReport>[] = [
  { title: "WORKER", cell: ({ id }) => id },
  { title: "RUNS", cell: ({ running, concurrency }) => `${running}/${concurrency}` },
  { title: "TAGS", drop: 2, cell: ({ tags }) => tags.join(", ") },
  { title: "SEEN", drop: 1, cell: ({ seen_at }) => shortTime(seen_at) },
  {
    title: "STATE",
    flexible: true,
    least: 5,
    cell: ({ gone }) => (gone ? "gone; its runs are taken over" : "working"),
  },
];

export async function queue(options: CommandOptions<"queue">): Promise<void> {
  await withEngine(options, async (engine) => {
    const report = await (await engine.queue()).list(options.limit ?? 100);
    if (options.json) return printJson(report);
    const { waiting, running, failed, dead, workers, counts } = report;
    const entries = [...running, ...waiting, ...failed, ...dead];
    const tables = [tableLines(entries, ENTRY_COLUMNS), tableLines(workers, WORKER_COLUMNS)].filter(
      (lines) => lines.length > 0,
    );
    print(tables.map((lines) => lines.join("\n")).join("\n\n"));
    const words = [
      `${counts.waiting} waiting`,
      `${counts.running} running`,
      `${counts.failed} to try again`,
      `${counts.dead} dead`,
      pluralize(workers.filter(({ gone }) => !gone).length, "worker"),
    ];
    remark(words.join(", "));
  });
}

export async function queueRetry(
  id: string | undefined,
  options: CommandOptions<"queue retry">,
): Promise<void> {
  if ((id === undefined) === (options.all !== true)) throw invalid("Name one queued run, or use --all.");
  await withEngine(options, async (engine) => {
    const runs = await engine.queue();
    const again = id === undefined ? await runs.retryAll() : [await runs.retry(id)];
    printAnswer(options, { retried: again }, `${pluralize(again.length, "run")} queued again.`);
  });
}

export async function queueCancel(id: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const cancelled = await (await engine.queue()).cancel(id);
    printAnswer(options, cancelled, `${escapeControl(cancelled.skill)} ${cancelled.id} is cancelled.`);
  });
}

/** Works until a signal: the first SIGTERM lets the runs end, a second one or Ctrl-C ends them. */
export async function worker(options: CommandOptions<"worker">): Promise<void> {
  const { concurrency = 4, skills: only, tags = [] } = options;
  const odd = tags.find((tag) => !isTag(tag));
  if (odd !== undefined)
    throw invalid(`--tags: ${quote(odd)} is not a tag; use letters, digits, ".", "_" and "-", at most 40.`);
  await withEngine(
    options,
    async (engine) => {
      const queue = await engine.queue();
      const working = await queue.worker({ concurrency, only, tags, tell: (event) => tell(event, options) });
      let signals = 0;
      const end = (exitCode: number): void => {
        process.exitCode = exitCode;
        if (++signals > 1 || exitCode !== 0) working.abort();
        else {
          note("Stopping: no more runs are taken, and those in progress are finished.");
          working.stop();
        }
      };
      process.on("SIGTERM", () => end(0));
      process.on("SIGINT", () => end(130));
      await working.work();
    },
    { keepsWarm: true },
  );
}

function tell(event: WorkerEvent, options: GlobalOptions): void {
  if (options.json) printJson(dataOf(event));
  else if (event.event === "start" || event.event === "end") print(lineOf(event));
  else note(noteOf(event));
}

function noteOf(event: Exclude<WorkerEvent, { readonly event: "start" | "end" }>): string {
  switch (event.event) {
    case "ready":
      return `Worker ${event.worker} takes runs of ${pluralize(event.lanes, "typed skill")}.`;
    case "taken-over":
      return `${pluralize(event.count, "run")} of a worker that ended ${event.count === 1 ? "is" : "are"} queued again.`;
    case "away":
      return "The database is away; trying again.";
    case "back":
      return "The database is back.";
    case "trouble":
      return `Trying again: ${escapeControl(event.message)}`;
  }
}

type RunEvent = Extract<WorkerEvent, { readonly event: "start" | "end" }>;

function lineOf(event: RunEvent): string {
  const { queued } = event;
  const task = queued.taskId === null ? "" : ` for ${queued.planId ?? ""}/${queued.taskId}`;
  const what = escapeControl(`${queued.skill}${task} ${queued.id}`);
  if (event.event === "start") return `${paint("dim", "start    ")} ${what}`;
  const { end } = event;
  const took = `${Math.round(event.ms)} ms`;
  if (end.how !== "ended")
    return `${paint("yellow", "returned ")} ${what}: ${escapeControl(end.error.message)}`;
  if (end.error)
    return `${paint("red", "failed   ")} ${what} ${took} ${escapeControl(`${end.error.code}: ${end.error.message}`)}`;
  return `${paint("green", end.finished?.cached ? "cached   " : "succeeded")} ${what} ${took}`;
}

function dataOf(event: WorkerEvent): object {
  if (event.event !== "start" && event.event !== "end") return event;
  const { id, skill, planId, taskId } = event.queued;
  const task = taskId === null || planId === null ? taskId : `${planId}/${taskId}`;
  const base = { event: event.event, id, skill, task };
  if (event.event === "start") return base;
  const { end, ms } = event;
  const finished = end.how === "ended" ? end.finished : null;
  return {
    ...base,
    how: end.how,
    run: finished?.run.id ?? null,
    status: finished?.run.status ?? null,
    cached: finished?.cached ?? false,
    error: end.error,
    ms: Math.round(ms),
  };
}
