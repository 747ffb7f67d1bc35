import { SkillError } from "@knack/core";
import { loadConfig } from "@knack/core/internal";
import { exportLog, importState, listEvents, type StoreVerification } from "@knack/engine";
import { withEngine } from "../../host/open-engine.ts";
import { placeAt } from "../../host/place.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { readCount } from "../read-count.ts";

export interface AuditOptions extends GlobalOptions {
  readonly head?: string;
  readonly limit?: string;
  readonly yes?: boolean;
}

export async function audit(options: AuditOptions): Promise<void> {
  const limit = readCount("--limit", options.limit, 50);
  await withEngine(options, async (engine) => {
    const events = await listEvents(await engine.history(), limit);
    if (options.json) {
      printJson({ events, count: events.length });
      return;
    }
    const columns = [
      { title: "SEQ" },
      { title: "TIME", drop: 2 },
      { title: "EVENT" },
      { title: "TASK", drop: 1 },
      { title: "WHAT", flexible: true },
    ];
    const rows = events.map(({ seq, created_at, event_type, task_id, payload }) => [
      String(seq),
      created_at.slice(0, 19).replace("T", " "),
      event_type,
      escapeControl(task_id ?? ""),
      escapeControl(JSON.stringify(payload)),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    if (rows.length > 0) print([painter(options)("bold", head), ...lines].join("\n"));
  });
}

export async function auditVerify(options: AuditOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const verdict = await engine.verify(options.head);
    const { foreignDatabase } = engine;
    if (foreignDatabase !== undefined && foreignDatabase !== verdict.database)
      note(
        `note: ${escapeControl(foreignDatabase)} came with this project and was not checked; it is not used.`,
      );
    if (!verdict.ok) process.exitCode = 1;
    if (options.json) printJson(verdict);
    else if (verdict.ok) print(held(verdict));
    else print(`${painter(options)("red", whatFails(verdict))}: ${escapeControl(verdict.message)}`);
    if (verdict.database !== null && verdict.database === foreignDatabase)
      note(
        `note: This database came with the project and was checked on a copy. Your Knack did not create it.`,
      );
    if (verdict.ok && !options.json) for (const line of limitsOf(verdict)) note(line);
  });
}

/** `knack audit import`: takes a database over that came with the project, after it was checked. */
export async function auditImport(options: AuditOptions): Promise<void> {
  const place = placeAt(options);
  if (!place.trusted)
    throw new SkillError(
      "CONFLICT",
      "Only the database of a trusted project can be imported; look at the project, then run knack trust.",
    );
  const { config } = await loadConfig(place);
  const done = await importState({
    ...place,
    url: config.store.url,
    acceptUnchecked: options.yes ?? false,
  });
  if (options.json) printJson({ imported: done !== undefined, ...done });
  else if (!done) print("There is no database to import: the one in use is your own.");
  else {
    print(`${done.records} records are valid and are now in ${escapeControl(done.file)}. Head ${done.head}`);
    for (const file of done.kept) print(`The previous database is kept as ${escapeControl(file)}`);
  }
}

type VerifiedStore = Extract<StoreVerification, { ok: true }>;

function held({ count, head }: VerifiedStore): string {
  return `${count} records are valid. Head ${head}`;
}

function whatFails(verdict: Exclude<StoreVerification, VerifiedStore>): string {
  return "table" in verdict ? "The tables do not match the log" : "The log is not valid";
}

/** What it rests on, and what it does not say. */
function limitsOf({ version, rows, unchecked, running }: VerifiedStore): string[] {
  return [
    ...(rows > 0 ? [`${rows} rows of runs, artifacts, evidence and tasks match the log.`] : []),
    ...(version === 1
      ? ["This log has version 1: it does not name its store, so it could belong to another project."]
      : []),
    ...(unchecked > 0
      ? [`${unchecked} rows cannot be checked: they were recorded before rows were linked to the log.`]
      : []),
    ...(running > 0
      ? [`${running} runs are still in progress; they can be checked once they have finished.`]
      : []),
  ];
}

export async function auditExport(options: AuditOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    for await (const line of exportLog(await engine.history())) print(line);
  });
}
