import { digestSkill } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter } from "../../terminal/output.ts";
import { escapeControl, visiblePath } from "../../terminal/visible.ts";
import { type InstallPlace, skillFolder } from "../place.ts";
import type { BadSource, SourceGroup } from "../plan/locked-skills.ts";
import type { PlannedUpdate, UpdatePlan } from "../plan/update-plan.ts";
import { diffLines } from "./show-diff.ts";
import { findingLines } from "./show-findings.ts";
import { shortCommit } from "./show-skills.ts";

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
