import { SkillError } from "@knack/core";
import type { QueueEntry, QueueReport, WorkerReport } from "@knack/engine";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { readCount } from "../read-count.ts";

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
