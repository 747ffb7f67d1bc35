import { join } from "node:path";
import { KnackError } from "@knack/core";
import { digestSkill, type LockedSkill, type SkillLock } from "@knack/core/lock";
import type { CommandOptions } from "../cli/table/table.ts";
import { interruptible } from "../host/signals.ts";
import { newestOf } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { isRefused, type OfferedSkill, reasonsOf, takeSkills } from "../sources/skills.ts";
import { note, noteError, paintOn, print, printJson } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { clientsWith } from "./client-links.ts";
import {
  type Download,
  downloadSource,
  type FailedSource,
  fetchPlace,
  openSources,
  pathInSource,
  type SourcedSkill,
  type SourceGroup,
  showWaiting,
} from "./fetch.ts";
import { carryOut, type IncomingSkill, incomingSkill, type Kept } from "./incoming.ts";
import type { InstallStep } from "./journal.ts";
import { digestBefore, type InstallPlace, refuseChanges, skillFolder } from "./place.ts";
import { diffLines, findingLines, findingsOf, type SkillFinding, shortCommit } from "./show.ts";

/** `knack update`: fetches what the refs of locked skills give now, shows the difference, asks, and replaces the skills. */
export async function update(names: readonly string[], options: CommandOptions<"update">): Promise<void> {
  const sources = await openSources(names, options);
  if (!sources) return;
  const { place, lock, groups, open } = sources;
  const pinned = groups
    .filter(({ isPinned }) => isPinned)
    .flatMap(({ skills }) => skills.map(({ name }) => name));
  using keep = new DisposableStack();
  const restores = names.length > 0 || options.force === true;
  const plan = await planUpdate(place, lock, open, restores, keep);
  plan.failed.push(...sources.failed);
  const { updates } = plan;
  if (!options.json) tellProblems(plan);
  const endangered = updates.filter((one) => one.isEndangered);
  if (!options.dryRun) refuseChanges(place, endangered, options.force);
  const proposal = {
    verb: "Update" as const,
    skills: updates,
    findings: updates.flatMap(({ newFindings }) => newFindings),
    steps: await stepsOf(place, plan),
    lines: async (fd: 1 | 2) => {
      const all = await Promise.all(updates.map((one) => updateLines(place, one, fd)));
      return all.flatMap((lines) => (fd === 1 ? lines : [...lines, ""]));
    },
    report: (applied: boolean, kept: Kept) => updateJson(plan, pinned, applied, kept),
    done: updates.map(
      ({ name, before, locked }) => `updated ${name}: ${fromTo(before.commit, locked.commit)}`,
    ),
  };
  if (!(await carryOut(place, proposal, options))) return;
  if (!options.json) tellRest(plan, groups, pinned);
  if (plan.vanished.length + plan.failed.length > 0) process.exitCode = 1;
}

/** A skill for which its source has other files than the project has. */
interface PlannedUpdate extends IncomingSkill {
  readonly before: LockedSkill;
  readonly newFindings: readonly SkillFinding[];
  readonly goneFindings: readonly SkillFinding[];
}

interface UpdatePlan {
  readonly updates: PlannedUpdate[];
  /** As their sources have them; the lock may still get a newer commit. */
  readonly unchanged: { readonly name: string; readonly before: LockedSkill; readonly locked: LockedSkill }[];
  readonly edited: string[];
  readonly vanished: { readonly name: string; readonly source: string }[];
  readonly failed: FailedSource[];
}

/**
 * Fetches one source after the other and compares. A source that fails does not stop the others. `restores`: files that the user
 * changed are to be as the source has them, though it has nothing new.
 */
async function planUpdate(
  place: InstallPlace,
  lock: SkillLock,
  groups: readonly SourceGroup[],
  restores: boolean,
  keep: DisposableStack,
): Promise<UpdatePlan> {
  const signal = interruptible();
  const plan: UpdatePlan = { updates: [], unchanged: [], edited: [], vanished: [], failed: [] };
  for (const { source, label, skills } of groups) {
    try {
      const download = keep.use(await downloadSource(source, place, signal, label));
      const offered = new Map<SourcedSkill, OfferedSkill>();
      for (const skill of skills) {
        const found = offeredFor(skill, download);
        if (!found) plan.vanished.push({ name: skill.name, source: label });
        else if (isRefused(found))
          plan.failed.push({ source: label, names: [skill.name], message: `refused:\n${reasonsOf(found)}` });
        else offered.set(skill, found);
      }
      const folders = takeSkills([...offered.values()], join(download.scratch.path, "skills"));
      for (const [{ name, locked: before }, skill] of offered) {
        const from = folders.get(skill) ?? "";
        const incoming = await incomingSkill(place, lock, download.fetched, skill, from);
        const { state, locked } = incoming;
        if (digestBefore(state) === locked.sha256) plan.unchanged.push({ name, before, locked });
        else if (!restores && state.kind === "changed" && locked.sha256 === before.sha256)
          plan.edited.push(name);
        else plan.updates.push({ ...incoming, before, ...compareFindings(place, incoming) });
      }
    } catch (error) {
      if (!(error instanceof KnackError) || signal.aborted) throw error;
      plan.failed.push({ source: label, names: skills.map(({ name }) => name), message: error.message });
    }
  }
  return plan;
}

function offeredFor({ name, locked }: SourcedSkill, { skills }: Download): OfferedSkill | undefined {
  const same = skills.filter((skill) => skill.name === name);
  return (
    same.find(({ path }) => pathInSource(path) === locked.path) ?? (same.length === 1 ? same[0] : undefined)
  );
}

function compareFindings(place: InstallPlace, { name, from, state }: IncomingSkill) {
  const after = findingsOf(new Map([[name, from]]));
  const before = "digest" in state ? findingsOf(new Map([[name, skillFolder(place, name).dir]])) : [];
  const without = (some: readonly SkillFinding[], others: readonly SkillFinding[]): SkillFinding[] => {
    const known = new Set(others.map(({ fingerprint }) => fingerprint));
    return some.filter(({ fingerprint }) => !known.has(fingerprint));
  };
  return { newFindings: without(after, before), goneFindings: without(before, after) };
}

/** Of a skill with the same files only the lock changes. */
async function stepsOf(place: InstallPlace, { updates, unchanged }: UpdatePlan): Promise<InstallStep[]> {
  const steps: InstallStep[] = unchanged
    .filter(({ before, locked }) => before.commit !== locked.commit || before.path !== locked.path)
    .map(({ name, locked }) => ({ name, action: "put", before: locked.sha256, locked, clients: [] }));
  for (const { name, from, locked, state, before } of updates) {
    const clients = await clientsWith(place, name, before.sha256);
    steps.push({ name, action: "put", before: digestBefore(state), locked, clients, from });
  }
  return steps;
}

async function updateLines(
  place: InstallPlace,
  { name, before, locked, from, newFindings, goneFindings, skill }: PlannedUpdate,
  fd: 1 | 2,
): Promise<string[]> {
  const { dir } = skillFolder(place, name);
  const now = { dir, files: (await digestSkill(dir)).files };
  const moved =
    before.path === locked.path
      ? []
      : [`  moved in its source: ${visiblePath(before.path ?? "")} -> ${visiblePath(locked.path ?? "")}`];
  return [
    `${paintOn(fd)("bold", escapeControl(name))} ${fromTo(before.commit, locked.commit)} from ${visiblePath(locked.source ?? "")}`,
    ...moved,
    ...skill.notes.map((text) => `  note: ${escapeControl(text)}`),
    ...(await diffLines(now, { dir: from, files: locked.files }, fd)),
    ...findingLines(newFindings, "New findings of knack lint"),
    ...findingLines(goneFindings, "No longer found by knack lint"),
  ];
}

const fromTo = (before: string | undefined, after: string | undefined): string =>
  before === after || before === undefined || after === undefined
    ? shortCommit(after ?? "changed files")
    : `${shortCommit(before)} -> ${shortCommit(after)}`;

function tellProblems({ vanished, failed }: UpdatePlan): void {
  for (const { name, source } of vanished)
    noteError(`${name} is no longer in ${source}; the skill here stays. "knack remove ${name}" removes it.`);
  for (const { names, message } of failed) noteError(`${names.join(", ")}: ${message}`);
}

function tellRest(
  { updates, unchanged, edited }: UpdatePlan,
  groups: readonly SourceGroup[],
  pinned: readonly string[],
): void {
  if (groups.length === 0) note('No skill here came from a source; "knack add" gets some.');
  else if (updates.length === 0 && unchanged.length > 0)
    note(`${pluralize(unchanged.length, "skill")} up to date.`);
  if (edited.length > 0)
    note(`You changed these, and their sources have nothing new: ${edited.map(escapeControl).join(", ")}`);
  if (pinned.length > 0) note(`Pinned to a commit, so not updated: ${pinned.map(escapeControl).join(", ")}`);
}

function updateJson(plan: UpdatePlan, pinned: readonly string[], applied: boolean, kept: Kept): object {
  return {
    applied,
    updated: plan.updates.map(({ name, before, locked, newFindings, goneFindings }) => ({
      name,
      source: locked.source,
      from: before.commit ?? null,
      to: locked.commit ?? null,
      changed: [...new Set([...before.files.keys(), ...locked.files.keys()])]
        .filter((path) => before.files.get(path) !== locked.files.get(path))
        .sort(),
      new_findings: newFindings,
      gone_findings: goneFindings,
      ...(kept.has(name) ? { kept: kept.get(name) } : {}),
    })),
    unchanged: plan.unchanged.map(({ name }) => name),
    edited: plan.edited,
    pinned,
    vanished: plan.vanished,
    failed: plan.failed,
  };
}

interface OutdatedRow {
  readonly name: string;
  readonly source: string;
  readonly locked: string | null;
  readonly newest: string | null;
  readonly outdated: boolean;
  readonly pinned: boolean;
  readonly error?: string;
}

/** `knack outdated`: which skills their sources have newer. Changes nothing. */
export async function outdated(options: CommandOptions<"outdated">): Promise<void> {
  const sources = await openSources([], options);
  if (!sources) return;
  const { place, groups, failed } = sources;
  const signal = interruptible();
  const unknown = { source: "", locked: null, newest: null, outdated: false, pinned: false };
  const rows = failed.flatMap(({ names, message }) =>
    names.map((name): OutdatedRow => ({ name, ...unknown, error: message })),
  );
  for (const group of groups) rows.push(...(await outdatedRows(place, group, signal)));
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.some(({ error }) => error !== undefined)) process.exitCode = 1;
  if (options.json) printJson({ skills: rows });
  else tellOutdated(rows);
}

async function outdatedRows(
  place: InstallPlace,
  group: SourceGroup,
  signal: AbortSignal,
): Promise<OutdatedRow[]> {
  const { source, label, skills, isPinned } = group;
  const rows = (
    find: (locked: string | null, name: string) => Pick<OutdatedRow, "newest" | "outdated" | "error">,
  ) =>
    skills.map(({ name, locked: { commit = null } }) => {
      const { newest, outdated: isOld, ...rest } = find(commit, name);
      return { name, source: label, locked: commit, newest, outdated: isOld, pinned: isPinned, ...rest };
    });
  if (isPinned) return rows((newest) => ({ newest, outdated: false }));
  using _waiting = showWaiting(`Looking at ${label}`);
  try {
    using scratch = makeScratch(place.scratch);
    const newest = await newestOf(source, fetchPlace(scratch, place, signal));
    if (newest !== null && skills.every(({ locked }) => locked.commit === newest))
      return rows(() => ({ newest, outdated: false }));
    const changed = await changedSkills(place, group, signal);
    return rows((locked, name) => ({
      newest,
      outdated: (newest === null || newest !== locked) && changed.has(name),
    }));
  } catch (error) {
    if (!(error instanceof KnackError) || signal.aborted) throw error;
    return rows(() => ({ newest: null, outdated: false, error: error.message }));
  }
}

/** The skills of which a source has other files. A newer commit may have changed anything, and a folder has no versions. */
async function changedSkills(
  place: InstallPlace,
  group: SourceGroup,
  signal: AbortSignal,
): Promise<Set<string>> {
  using download = await downloadSource(group.source, place, signal, group.label);
  const changed = new Set<string>();
  for (const sourced of group.skills) {
    const skill = offeredFor(sourced, download);
    const isFine = skill !== undefined && !isRefused(skill);
    const folder = isFine && takeSkills([skill], join(download.scratch.path, "skills")).get(skill);
    if (!folder || (await digestSkill(folder)).sha256 !== sourced.locked.sha256) changed.add(sourced.name);
  }
  return changed;
}

const OUTDATED_COLUMNS: readonly CellColumn<OutdatedRow>[] = [
  { title: "SKILL", cell: ({ name }) => name },
  { title: "LOCKED", cell: ({ locked }) => (locked === null ? "-" : shortCommit(locked)) },
  { title: "NEWEST", cell: ({ newest }) => (newest === null ? "changed" : shortCommit(newest)) },
  { title: "SOURCE", flexible: true, cell: ({ source }) => source },
];

function tellOutdated(rows: readonly OutdatedRow[]): void {
  const old = rows.filter((row) => row.outdated);
  if (old.length > 0) print(tableLines(old, OUTDATED_COLUMNS).join("\n"));
  const failed = Map.groupBy(
    rows.filter(({ error }) => error !== undefined),
    ({ error }) => error ?? "",
  );
  for (const [error, some] of failed) noteError(`${some.map(({ name }) => name).join(", ")}: ${error}`);
  if (rows.length === 0) note('No skill here came from a source; "knack add" gets some.');
  else if (old.length > 0) note('"knack update" shows what changed, then asks.');
  else if (failed.size === 0) note("All skills are up to date.");
}
