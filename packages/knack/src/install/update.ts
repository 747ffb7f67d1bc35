import { digestSkill } from "@knack/core/lock";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { note, painter, print, printJson } from "../terminal/output.ts";
import { escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { clientsWith } from "./client-links.ts";
import { confirmChange, type IncomingStep, installIncoming, stepOf, tellKept } from "./incoming.ts";
import { refuseChanges } from "./local-state.ts";
import { type InstallPlace, skillFolder } from "./place.ts";
import {
  type BadSource,
  openSources,
  type PlannedUpdate,
  planUpdate,
  type SourceGroup,
  type UpdatePlan,
} from "./plan-update.ts";
import { diffLines, findingLines, shortCommit } from "./show.ts";

export interface UpdateOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly yes?: boolean;
  readonly allowFindings?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `knack update`: fetches what the refs of locked skills give now, shows the difference, asks, and replaces the skills. */
export async function update(names: readonly string[], options: UpdateOptions): Promise<void> {
  const sources = await openSources(names, options);
  if (!sources) return;
  const { place, lock, groups, open, bad } = sources;
  const pinned = groups
    .filter(({ isPinned }) => isPinned)
    .flatMap(({ skills }) => skills.map(({ name }) => name));
  using keep = new DisposableStack();
  const plan = await planUpdate(place, lock, open, {
    restores: names.length > 0 || options.force === true,
    signal: interruptible(),
    keep,
  });
  const hasProblems = plan.vanished.length + plan.failed.length + bad.length > 0;
  tellProblems(plan, bad, options);
  if (options.dryRun) {
    if (options.json) printJson(updateJson(plan, bad, pinned, new Map(), false));
    else for (const one of plan.updates) print((await updateLines(place, one, options, 1)).join("\n"));
  } else if (!(await applyUpdate(place, plan, bad, pinned, options))) return;
  tellRest(plan, groups, pinned, options);
  if (hasProblems) process.exitCode = 1;
}

async function applyUpdate(
  place: InstallPlace,
  plan: UpdatePlan,
  bad: readonly BadSource[],
  pinned: readonly string[],
  options: UpdateOptions,
): Promise<boolean> {
  const { updates, unchanged } = plan;
  refuseChanges(
    place,
    updates.filter((one) => one.isEndangered),
    options.force === true,
  );
  if (!options.json)
    for (const one of updates) note(`${(await updateLines(place, one, options, 2)).join("\n")}\n`);
  const findings = updates.flatMap(({ newFindings }) => newFindings);
  if (updates.length > 0 && !(await confirmChange("Update", updates, findings, options))) return false;
  const steps: IncomingStep[] = unchanged
    .filter(({ before, locked }) => before.commit !== locked.commit || before.path !== locked.path)
    .map(({ name, locked }) => ({ name, before: locked.sha256, locked, clients: [] }));
  for (const one of updates) steps.push(stepOf(one, await clientsWith(place, one.name, one.before.sha256)));
  const kept = await installIncoming(place, updates, steps);
  if (options.json) printJson(updateJson(plan, bad, pinned, kept, true));
  else
    for (const { name, before, locked } of updates)
      print(`updated ${name}: ${fromTo(before.commit, locked.commit)}`);
  tellKept(kept, options);
  return true;
}

export async function updateLines(
  place: InstallPlace,
  one: PlannedUpdate,
  options: GlobalOptions,
  fd: 1 | 2,
): Promise<string[]> {
  const { name, before, locked, from, newFindings, goneFindings, skill } = one;
  const { dir } = skillFolder(place, name);
  const now = { dir, files: (await digestSkill(dir)).files };
  const moved =
    before.path === locked.path
      ? []
      : [`  moved in its source: ${visiblePath(before.path ?? "")} -> ${visiblePath(locked.path ?? "")}`];
  return [
    `${painter(options, fd)("bold", escapeControl(name))} ${fromTo(before.commit, locked.commit)} from ${visiblePath(locked.source ?? "")}`,
    ...moved,
    ...skill.notes.map((text) => `  note: ${escapeControl(text)}`),
    ...(await diffLines(now, { dir: from, files: locked.files }, options, fd)),
    ...findingLines(newFindings, options, "New findings of knack lint"),
    ...findingLines(goneFindings, options, "No longer found by knack lint"),
  ];
}

export const fromTo = (before: string | undefined, after: string | undefined): string =>
  before === after || before === undefined || after === undefined
    ? shortCommit(after ?? "changed files")
    : `${shortCommit(before)} -> ${shortCommit(after)}`;

export function tellProblems(
  { vanished, failed }: UpdatePlan,
  bad: readonly BadSource[],
  options: GlobalOptions,
): void {
  if (options.json) return;
  const label = painter(options, 2)("red", "error:");
  for (const { name, source } of vanished)
    note(
      `${label} ${escapeControl(name)} is no longer in ${visiblePath(source)}; the skill here stays. "knack remove ${escapeControl(name)}" removes it.`,
    );
  for (const { names, message } of failed)
    note(
      `${label} ${names.map(escapeControl).join(", ")}: ${message.split("\n").map(escapeControl).join("\n  ")}`,
    );
  for (const { name, message } of bad) note(`${label} ${escapeControl(name)}: ${escapeControl(message)}`);
}

export function tellRest(
  { updates, unchanged, edited }: UpdatePlan,
  groups: readonly SourceGroup[],
  pinned: readonly string[],
  options: GlobalOptions,
): void {
  if (options.json) return;
  if (groups.length === 0) note('No skill here came from a source; "knack add" gets some.');
  else if (updates.length === 0 && unchanged.length > 0)
    note(`${pluralize(unchanged.length, "skill")} up to date.`);
  if (edited.length > 0)
    note(`You changed these, and their sources have nothing new: ${edited.map(escapeControl).join(", ")}`);
  if (pinned.length > 0) note(`Pinned to a commit, so not updated: ${pinned.map(escapeControl).join(", ")}`);
}

export function updateJson(
  plan: UpdatePlan,
  bad: readonly BadSource[],
  pinned: readonly string[],
  kept: ReadonlyMap<string, string>,
  applied: boolean,
): object {
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
    failed: [...plan.failed, ...bad.map(({ name, message }) => ({ source: null, names: [name], message }))],
  };
}
