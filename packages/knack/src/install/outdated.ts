import { join } from "node:path";
import { KnackError } from "@knack/core";
import { digestSkill } from "@knack/core/lock";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { newestOf } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { takeSkills } from "../sources/skills.ts";
import { note, noteError, print, printJson } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { downloadSource, fetchPlace, pathInSource, showWaiting } from "./fetch.ts";
import { openSources, type SourceGroup } from "./locked-sources.ts";
import type { InstallPlace } from "./place.ts";
import { shortCommit } from "./show.ts";

export interface OutdatedOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly yes?: boolean;
}

interface Row {
  readonly name: string;
  readonly source: string;
  readonly locked: string | null;
  readonly newest: string | null;
  readonly outdated: boolean;
  readonly pinned: boolean;
  readonly error?: string;
}

/** `knack outdated`: which skills their sources have newer. Changes nothing. */
export async function outdated(options: OutdatedOptions): Promise<void> {
  const sources = await openSources([], options);
  if (!sources) return;
  const { place, groups, bad } = sources;
  const signal = interruptible();
  const rows: Row[] = bad.map(({ name, message }) => ({
    ...{ name, source: "", locked: null, newest: null, outdated: false, pinned: false },
    error: message,
  }));
  for (const group of groups) rows.push(...(await rowsOf(place, group, signal)));
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.some(({ error }) => error !== undefined)) process.exitCode = 1;
  if (options.json) printJson({ skills: rows });
  else tell(rows, options);
}

async function rowsOf(place: InstallPlace, group: SourceGroup, signal: AbortSignal): Promise<Row[]> {
  const { source, label, skills, isPinned } = group;
  const rows = (find: (locked: string | null, name: string) => Pick<Row, "newest" | "outdated" | "error">) =>
    skills.map(({ name, locked: { commit = null } }) => {
      const { newest, outdated: isOld, ...rest } = find(commit, name);
      return { name, source: label, locked: commit, newest, outdated: isOld, pinned: isPinned, ...rest };
    });
  if (isPinned) return rows((newest) => ({ newest, outdated: false }));
  using _waiting = showWaiting(`Looking at ${label}`);
  try {
    if (source.kind === "folder") {
      const changed = await changedSkills(place, group, signal);
      return rows((_, name) => ({ newest: null, outdated: changed.has(name) }));
    }
    using scratch = makeScratch(place.scratch);
    const newest = await newestOf(source, fetchPlace(scratch, place, signal));
    return rows((locked) => ({ newest, outdated: newest !== locked }));
  } catch (error) {
    if (!(error instanceof KnackError) || signal.aborted) throw error;
    return rows(() => ({ newest: null, outdated: false, error: error.message }));
  }
}

/** A folder has no versions, so its files are compared. */
async function changedSkills(
  place: InstallPlace,
  group: SourceGroup,
  signal: AbortSignal,
): Promise<Set<string>> {
  using download = await downloadSource(group.source, place, signal, group.label);
  const changed = new Set<string>();
  for (const { name, locked } of group.skills) {
    const skill = download.skills.find((one) => one.name === name && pathInSource(one.path) === locked.path);
    const folder = skill && takeSkills([skill], join(download.scratch.path, "skills")).get(skill);
    if (folder === undefined || (await digestSkill(folder)).sha256 !== locked.sha256) changed.add(name);
  }
  return changed;
}

const COLUMNS: readonly CellColumn<Row>[] = [
  { title: "SKILL", cell: ({ name }) => name },
  { title: "LOCKED", cell: ({ locked }) => (locked === null ? "-" : shortCommit(locked)) },
  { title: "NEWEST", cell: ({ newest }) => (newest === null ? "changed" : shortCommit(newest)) },
  { title: "SOURCE", flexible: true, cell: ({ source }) => source },
];

function tell(rows: readonly Row[], options: OutdatedOptions): void {
  const old = rows.filter((row) => row.outdated);
  if (old.length > 0) print(tableLines(options, old, COLUMNS).join("\n"));
  const failed = Map.groupBy(
    rows.filter(({ error }) => error !== undefined),
    ({ error }) => error ?? "",
  );
  for (const [error, some] of failed)
    noteError(`${some.map(({ name }) => name).join(", ")}: ${error}`, options);
  if (rows.length === 0) note('No skill here came from a source; "knack add" gets some.');
  else if (old.length > 0) note('"knack update" shows what changed, then asks.');
  else if (failed.size === 0) note("All skills are up to date.");
}
