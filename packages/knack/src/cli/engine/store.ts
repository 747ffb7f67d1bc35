import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "@knack/core";
import { loadConfig } from "@knack/core/internal";
import { keepRecorded, type MigrateProgress, migrateStore } from "@knack/engine";
import { placeAt } from "../../host/place.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

const PROGRESS_EVERY_MS = 1000;

/** `knack store migrate FROM TO`: copies a project's history to another database and compares every row. */
export async function storeMigrate(from: string, to: string, options: GlobalOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const [source, target] = [storeUrl(from, cwd), storeUrl(to, cwd)];
  const file = source.replace(/^sqlite:/, "");
  if (file !== source && !existsSync(file))
    throw new SkillError("NOT_FOUND", `${escapeControl(file)} does not exist.`);
  const copied = await migrateStore(source, target, options.json ? undefined : progress());
  const place = placeAt(options);
  const { config } = await loadConfig(place);
  const artifacts = await keepRecorded(target, config.artifacts.url, place.projectRoot);
  const done = { ...copied, artifacts };
  if (options.json) {
    printJson(done);
    return;
  }
  const rows = Object.values(done.rows).reduce((sum, count) => sum + count, 0);
  print(`Copied ${pluralize(rows, "row")} to ${escapeControl(done.to)} and compared each with the original.`);
  print(`${pluralize(done.records, "record")} of the log are valid. Head ${done.head}`);
  if (artifacts)
    print(
      `Stored ${pluralize(artifacts.kept, "artifact")} for all machines; ${artifacts.missing} are not in this project and are made again when a run needs them.`,
    );
  note("Now set store.url in .knack/config.yaml on every machine. The old database was not changed.");
}

function progress(): (step: MigrateProgress) => void {
  let last = performance.now();
  return ({ table, rows }) => {
    if (performance.now() - last < PROGRESS_EVERY_MS) return;
    last = performance.now();
    note(`${table}: ${rows} rows`);
  };
}

/** A path alone is an SQLite file. */
function storeUrl(text: string, cwd: string): string {
  if (/^postgres(ql)?:\/\//i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw new SkillError("INVALID_PARAM", "A store is sqlite:<path> or postgres://host/database.");
  return `sqlite:${resolve(cwd, text.replace(/^sqlite:/, ""))}`;
}
