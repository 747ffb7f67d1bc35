import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findProject, loadConfig } from "@knack/core/config";
import { canonical, isInside } from "@knack/core/files";
import {
  collectGarbage,
  EngineStore,
  exportLog,
  keepRecorded,
  listEvents,
  type MigrateProgress,
  migrateStore,
  revokeAllAccessTokens,
  stateFile,
} from "@knack/engine";
import { withEngine, withProject } from "../host/open-project.ts";
import { placeAt } from "../host/place.ts";
import { type GlobalOptions, invalid, notFound } from "../options.ts";
import { note, paint, print, printAnswer, printJson } from "../terminal/output.ts";
import { type CellColumn, showTable } from "../terminal/table.ts";
import { escapeControl, pluralize, shortTime } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

const PROGRESS_EVERY_MS = 1000;

/** `knack store migrate FROM [TO]`: copies a project's history to another database and checks every row there. */
export async function storeMigrate(
  from: string,
  to: string | undefined,
  options: GlobalOptions,
): Promise<void> {
  const place = placeAt(options);
  const { config } = await loadConfig(place);
  const own = new EngineStore({ ...place, url: config.store.url, actor: "migrate" });
  const cwd = resolve(options.cwd ?? ".");
  // A folder to copy from means its file in the user's folder, also where the configuration already names another database.
  const source = readAddress(from, cwd, place);
  const named = to === undefined ? undefined : readAddress(to, cwd, place);
  const target = named === undefined || named.folder === place.projectRoot ? own.url : named.url;
  if (source.url === target)
    throw invalid(`${escapeControl(from)} is the database that you want to copy to.`);
  const file = source.url.replace(/^sqlite:/, "");
  if (file !== source.url && !existsSync(file)) throw notFound(`${escapeControl(file)} does not exist.`);
  // Created by its owner, with the project's name beside it.
  const store = target === own.url ? await own.get() : undefined;
  try {
    const copied = await migrateStore(source.url, target, options.json ? undefined : progress());
    const artifacts = await keepRecorded(target, config.artifacts.url, place.projectRoot);
    // Whoever made a database that came with the project knows its tokens.
    const revoked = store && isInside(file, place.projectRoot) ? await revokeAllAccessTokens(store) : 0;
    const isMoved = source.folder !== undefined && !existsSync(source.folder);
    if (isMoved) rmSync(dirname(file), { recursive: true, force: true });
    if (options.json) return printJson({ ...copied, artifacts });
    const rows = Object.values(copied.rows).reduce((sum, count) => sum + count, 0);
    print(`Copied ${pluralize(rows, "row")} to ${escapeControl(copied.to)} and checked each by the log.`);
    print(`${pluralize(copied.records, "record")} of the log are valid. Head ${copied.head}`);
    if (artifacts)
      print(
        `Stored ${pluralize(artifacts.kept, "artifact")} for all machines; ${artifacts.missing} are not in this project and are made again when a run needs them.`,
      );
    if (revoked > 0) print(`Revoked ${pluralize(revoked, "access token")}: add your own (knack token add).`);
    if (isMoved) print(`Removed the history of ${escapeControl(source.folder ?? "")}, which does not exist.`);
    else note("The old database was not changed.");
    if (!store) note("Now set store.url in the configuration on every machine.");
  } finally {
    await own.close();
  }
}

function progress(): (step: MigrateProgress) => void {
  let last = performance.now();
  return ({ table, rows }) => {
    if (performance.now() - last < PROGRESS_EVERY_MS) return;
    last = performance.now();
    note(`${table}: ${pluralize(rows, "row")}`);
  };
}

/** A path alone is a database file, or the folder of a project, which may be gone: the project whose state it is. */
function readAddress(
  text: string,
  cwd: string,
  user: { readonly env: NodeJS.ProcessEnv; readonly home: string },
): { readonly url: string; readonly folder?: string } {
  if (/^postgres(ql)?:\/\//i.test(text)) return { url: text };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw invalid("A store is a folder, sqlite:<path> or postgres://host/database.");
  const path = resolve(cwd, text.replace(/^sqlite:/, ""));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (text.startsWith("sqlite:") || stats?.isFile()) return { url: `sqlite:${path}` };
  const folder = stats ? findProject({ cwd: path, ...user }) : canonical(path);
  return { url: `sqlite:${stateFile({ ...user, projectRoot: folder })}`, folder };
}

const WEEK_MS = 7 * 24 * 3_600_000;

export async function storeGc(options: CommandOptions<"store gc">): Promise<void> {
  const { dryRun = false, olderThan: olderThanMs = WEEK_MS } = options;
  await withEngine(options, async (engine) => {
    const contents = engine.hasStore ? await engine.contents() : null;
    if (!contents) {
      const nothing = { removed: 0, removed_bytes: 0, kept: 0, dry_run: dryRun, place: null };
      const why =
        "Artifacts are only in workspace/artifacts (artifacts.url is not set). Nothing was removed.";
      return printAnswer(options, nothing, why);
    }
    const done = await collectGarbage(contents, await engine.store(), {
      olderThanMs,
      dryRun,
      onRemove: ({ sha256, size, createdAt }) => {
        if (!options.json) print(`${sha256}  ${pluralize(size, "byte")}  ${createdAt}`);
      },
    });
    const place = contents.shown;
    const what = `${pluralize(done.removed, "artifact")} (${pluralize(done.removed_bytes, "byte")})`;
    const text = `${dryRun ? "Would remove" : "Removed"} ${what} from ${escapeControl(place)}; ${done.kept} stay.`;
    printAnswer(options, { ...done, dry_run: dryRun, place }, text);
  });
}

type LoggedEvent = Awaited<ReturnType<typeof listEvents>>[number];

const EVENT_COLUMNS: readonly CellColumn<LoggedEvent>[] = [
  { title: "SEQ", cell: ({ seq }) => String(seq) },
  { title: "TIME", drop: 2, cell: ({ created_at }) => shortTime(created_at) },
  { title: "EVENT", cell: ({ event_type }) => event_type },
  { title: "TASK", drop: 1, cell: ({ task_id }) => task_id ?? "" },
  { title: "WHAT", flexible: true, cell: ({ payload }) => JSON.stringify(payload) },
];

export async function audit(options: CommandOptions<"audit">): Promise<void> {
  await withProject(options, async (project) => {
    const engine = await project.engine("cli", { keepsWarm: false });
    const events = await listEvents(await engine.history(), options.limit ?? 50);
    const { record } = (await project.config()).config;
    const place = escapeControl(engine.storePlace);
    const remark = events.length > 0 ? `The log is in ${place}.` : whyEmpty(record, engine.hasStore, place);
    const report = (): object => ({ events, count: events.length });
    showTable(options, report, events, EVENT_COLUMNS, remark);
  });
}

function whyEmpty(record: string, exists: boolean, place: string): string {
  if (record === "off")
    return `Nothing is recorded but runs, and none was made: record is off in the configuration. The log would be in ${place}.`;
  return exists
    ? `The log in ${place} is empty.`
    : `No skill was searched for, loaded or run in this project yet. The first use creates the log, ${place}.`;
}

export async function auditVerify(options: CommandOptions<"audit verify">): Promise<void> {
  await withEngine(options, async (engine) => {
    const verdict = await engine.verify(options.head);
    if (!verdict.ok) process.exitCode = 1;
    if (options.json) return printJson(verdict);
    if (verdict.ok) {
      const { count, head, rows, running } = verdict;
      print(`${pluralize(count, "valid record")}. Head ${head}`);
      // What that rests on, and what it does not say.
      if (rows > 0) note(`The log matches ${pluralize(rows, "row")} of runs, artifacts, evidence and tasks.`);
      if (running > 0) note(`${pluralize(running, "run")} still in progress: to be checked after the end.`);
    } else {
      const what = "table" in verdict ? "The tables do not match the log" : "The log is not valid";
      print(`${paint("red", what)}: ${escapeControl(verdict.message)}`);
    }
    if (verdict.database !== null) note(`The database is ${escapeControl(verdict.database)}.`);
  });
}

export async function auditExport(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    for await (const line of exportLog(await engine.history())) print(line);
  });
}
