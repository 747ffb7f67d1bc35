import { SkillError } from "@knack/core";
import { loadConfig } from "@knack/core/internal";
import { exportLog, importState, listEvents, verifyLog } from "@knack/engine";
import { toSkillError, withEngine } from "../host/open-engine.ts";
import { placeAt } from "../host/place.ts";
import type { GlobalOptions } from "../options.ts";
import { painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { readCount } from "./read-count.ts";

export interface AuditOptions extends GlobalOptions {
  readonly head?: string;
  readonly limit?: string;
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
      { title: "TIME" },
      { title: "EVENT" },
      { title: "TASK" },
      { title: "WHAT", flexible: true },
    ];
    const rows = events.map(({ seq, created_at, event_type, task_id, payload }) => [
      String(seq),
      created_at.slice(0, 19).replace("T", " "),
      event_type,
      visible(task_id ?? ""),
      visible(JSON.stringify(payload)),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    if (rows.length > 0) print([painter(options)("bold", head), ...lines].join("\n"));
  });
}

export async function auditVerify(options: AuditOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const verdict = await verifyLog(await engine.history(), options.head);
    if (!verdict.ok) process.exitCode = 1;
    if (options.json) printJson(verdict);
    else if (verdict.ok) print(`${verdict.count} records hold. Head ${verdict.head}`);
    else print(`${painter(options)("red", "The log does not hold")}: ${visible(verdict.message)}`);
  });
}

/** `knack audit import`: takes a database over that came with the project, after it was checked. */
export async function auditImport(options: AuditOptions): Promise<void> {
  const place = placeAt(options);
  if (!place.trusted)
    throw new SkillError(
      "CONFLICT",
      "Only a trusted project can have its database taken over; look at the project, then run knack trust.",
    );
  const { config } = await loadConfig(place);
  const done = await importState({ ...place, url: config.store.url }).catch((error: unknown) => {
    throw toSkillError(error);
  });
  if (options.json) printJson({ imported: done !== undefined, ...done });
  else if (!done) print("There is no database to take over: the one that is used is your own.");
  else {
    print(`${done.records} records hold and are now in ${visible(done.file)}. Head ${done.head}`);
    for (const file of done.kept) print(`What was there before is kept: ${visible(file)}`);
  }
}

export async function auditExport(options: AuditOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    for await (const line of exportLog(await engine.history())) print(line);
  });
}
