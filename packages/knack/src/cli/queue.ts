import { SkillError } from "@knack/core";
import { quote } from "@knack/core/text";
import { isTag, type QueueEntry, type QueueReport, type WorkerEvent, type WorkerReport } from "@knack/engine";
import { withEngine } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl, pluralize } from "../terminal/visible.ts";
import { readCount } from "./read-count.ts";

export interface QueueOptions extends GlobalOptions {
  readonly limit?: string;
}

export async function queue(options: QueueOptions): Promise<void> {
  const limit = readCount("--limit", options.limit, 100);
  await withEngine(options, async (engine) => {
    const report = await (await engine.queue()).list(limit);
    if (options.json) printJson(report);
    else printQueue(report, options);
  });
}

export async function queueRetry(
  id: string | undefined,
  options: GlobalOptions & { readonly all?: boolean },
): Promise<void> {
  if ((id === undefined) === (options.all !== true))
    throw new SkillError("INVALID_PARAM", "Name one queued run, or use --all.");
  await withEngine(options, async (engine) => {
    const runs = await engine.queue();
    const again = id === undefined ? await runs.retryAll() : [await runs.retry(id)];
    if (options.json) printJson({ retried: again });
    else print(`${pluralize(again.length, "run")} queued again.`);
  });
}

export async function queueCancel(id: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const cancelled = await (await engine.queue()).cancel(id);
    if (options.json) printJson(cancelled);
    else print(`${escapeControl(cancelled.skill)} ${cancelled.id} is cancelled.`);
  });
}

function printQueue(
  { waiting, running, failed, dead, workers, counts }: QueueReport,
  options: GlobalOptions,
): void {
  const entries = [...running, ...waiting, ...failed, ...dead];
  const columns = [
    { title: "STATE" },
    { title: "SKILL" },
    { title: "TASK", drop: 3 },
    { title: "SINCE", drop: 1 },
    { title: "ID", drop: 4 },
    { title: "WORKER", drop: 2 },
    { title: "WHY", flexible: true, least: 12 },
  ];
  const tables: string[] = [];
  if (entries.length > 0) tables.push(tableText(columns, entries.map(row), options));
  if (workers.length > 0)
    tables.push(
      tableText(
        [
          { title: "WORKER" },
          { title: "RUNS" },
          { title: "TAGS", drop: 2 },
          { title: "SEEN", drop: 1 },
          { title: "STATE", flexible: true, least: 5 },
        ],
        workers.map(workerRow),
        options,
      ),
    );
  print(tables.join("\n\n"));
  const words = [
    `${counts.waiting} waiting`,
    `${counts.running} running`,
    `${counts.failed} to try again`,
    `${counts.dead} dead`,
    pluralize(workers.filter(({ gone }) => !gone).length, "worker"),
  ];
  note(painter(options, 2)("dim", words.join(", ")));
}

function tableText(columns: Parameters<typeof table>[0], rows: string[][], options: GlobalOptions): string {
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  return [painter(options)("bold", head), ...lines].join("\n");
}

function row({ state, skill, task, since, id, worker, error }: QueueEntry): string[] {
  const cells = [state, skill, task ?? "", shortTime(since), id, worker ?? "", error ?? ""];
  return cells.map(escapeControl);
}

function workerRow({ id, running, concurrency, tags, seen_at, gone }: WorkerReport): string[] {
  const state = gone ? "gone; its runs are taken over" : "working";
  return [id, `${running}/${concurrency}`, tags.join(", "), shortTime(seen_at), state].map(escapeControl);
}

function shortTime(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/** A list such as `a,b`; `undefined` where it was not given. */
export function readNames(option: string, given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = given
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length > 0) return names;
  throw new SkillError(
    "INVALID_PARAM",
    `${option} takes names with commas between them, not ${quote(given)}.`,
  );
}

/** As the entries of a registry may ask for. */
export function readTags(option: string, given: string | undefined): readonly string[] {
  const tags = readNames(option, given) ?? [];
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong === undefined) return tags;
  throw new SkillError(
    "INVALID_PARAM",
    `${option}: ${quote(wrong)} is not a tag; use letters, digits, ".", "_" and "-", at most 40.`,
  );
}

export interface WorkerOptions extends GlobalOptions {
  readonly concurrency?: string;
  readonly skills?: string;
  readonly tags?: string;
}

/** Works until a signal: the first lets the runs end, the second ends them. */
export async function worker(options: WorkerOptions): Promise<void> {
  const concurrency = readCount("--concurrency", options.concurrency, 4);
  const only = readNames("--skills", options.skills);
  const tags = readTags("--tags", options.tags);
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
  else if (event.event === "start" || event.event === "end") print(lineOf(event, options));
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

function lineOf(event: RunEvent, options: GlobalOptions): string {
  const paint = painter(options);
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
