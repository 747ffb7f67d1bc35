import { join } from "node:path";
import { KnackError } from "@knack/core";
import { digestSkill } from "@knack/core/lock";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { newestOf } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { takeSkills } from "../sources/skills.ts";
import { note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl, visiblePath } from "../terminal/visible.ts";
import { downloadSource, fetchPlace, pathInSource, Waiting } from "./fetch.ts";
import type { InstallPlace } from "./place.ts";
import { openSources, type SourceGroup } from "./plan-update.ts";
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

const NOTHING = { source: "", locked: null, newest: null, outdated: false, pinned: false } as const;

/** `knack outdated`: which skills their sources have newer. Changes nothing. */
export async function outdated(options: OutdatedOptions): Promise<void> {
  const sources = await openSources([], options);
  if (!sources) return;
  const { place, groups, bad } = sources;
  const signal = interruptible();
  const rows: Row[] = [];
  for (const group of groups) rows.push(...(await rowsOf(place, group, signal)));
  for (const { name, message } of bad) rows.push({ name, ...NOTHING, error: message });
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.some(({ error }) => error !== undefined)) process.exitCode = 1;
  if (options.json) printJson({ skills: rows });
  else tell(rows, options);
}

async function rowsOf(place: InstallPlace, group: SourceGroup, signal: AbortSignal): Promise<Row[]> {
  const { source, label, skills, isPinned } = group;
  const common = { source: label, pinned: isPinned };
  const row = (index: number, more: Omit<Row, "name" | "locked" | keyof typeof common>): Row => {
    const { name, locked } = skills[index] as (typeof skills)[number];
    return { name, ...common, locked: locked.commit ?? null, ...more };
  };
  if (isPinned)
    return skills.map(({ locked }, i) => row(i, { newest: locked.commit ?? null, outdated: false }));
  const waiting = new Waiting(`Looking at ${label}`);
  try {
    if (source.kind === "folder") {
      const isOther = await differences(place, group, signal);
      return skills.map(({ name }, i) => row(i, { newest: null, outdated: isOther.has(name) }));
    }
    using scratch = makeScratch(place.scratch);
    const newest = await newestOf(source, fetchPlace(scratch, place, signal));
    return skills.map(({ locked }, i) => row(i, { newest, outdated: newest !== locked.commit }));
  } catch (error) {
    if (!(error instanceof KnackError) || signal.aborted) throw error;
    return skills.map((_, i) => row(i, { newest: null, outdated: false, error: error.message }));
  } finally {
    waiting.end();
  }
}

/** A folder has no versions, so its files are compared. */
async function differences(
  place: InstallPlace,
  group: SourceGroup,
  signal: AbortSignal,
): Promise<Set<string>> {
  using download = await downloadSource(group.source, place, signal, group.label);
  const other = new Set<string>();
  for (const { name, locked } of group.skills) {
    const skill = download.skills.find((one) => one.name === name && pathInSource(one.path) === locked.path);
    if (!skill) {
      other.add(name);
      continue;
    }
    const folders = takeSkills([skill], join(download.scratch.path, "skills"));
    if ((await digestSkill(folders.get(skill) ?? "")).sha256 !== locked.sha256) other.add(name);
  }
  return other;
}

function tell(rows: readonly Row[], options: OutdatedOptions): void {
  const paint = painter(options, 2);
  const shown = rows.filter((row) => row.outdated);
  const cells = shown.map(({ name, locked, newest, source }) => [
    escapeControl(name),
    locked === null ? "-" : shortCommit(locked),
    newest === null ? "changed" : shortCommit(newest),
    visiblePath(source),
  ]);
  const columns = [
    { title: "SKILL" },
    { title: "LOCKED" },
    { title: "NEWEST" },
    { title: "SOURCE", flexible: true },
  ];
  if (shown.length > 0) print(table(columns, cells, terminalWidth()).join("\n"));
  const failed = Map.groupBy(
    rows.filter(({ error }) => error !== undefined),
    ({ error }) => error ?? "",
  );
  for (const [error, some] of failed) {
    const names = some.map(({ name }) => escapeControl(name)).join(", ");
    note(`${paint("red", "error:")} ${names}: ${error.split("\n").map(escapeControl).join("\n  ")}`);
  }
  if (rows.length === 0) note('No skill here came from a source; "knack add" gets some.');
  else if (shown.length > 0) note('"knack update" shows what changed, then asks.');
  else if (failed.size === 0) note("All skills are up to date.");
}
