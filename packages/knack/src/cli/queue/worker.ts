import type { WorkerEvent } from "@knack/engine";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { readCount } from "../read-count.ts";
import { readNames, readTags } from "./read-names.ts";

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
