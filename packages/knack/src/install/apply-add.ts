import { keepTexts } from "@knack/core/internal";
import { bytesText } from "../sources/limits.ts";
import { pluralize } from "../terminal/count.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { escapeControl, visiblePath } from "../terminal/visible.ts";
import type { AddOptions } from "./add-options.ts";
import { confirmAdd } from "./confirm-add.ts";
import { skillFolder } from "./place.ts";
import type { AddPlan, PlannedSkill } from "./plan/add-plan.ts";
import { digestBefore } from "./plan/local-state.ts";
import { findingLines } from "./show/show-findings.ts";
import { offerLines, shortCommit, sourceLine } from "./show/show-skills.ts";
import { commitInstall } from "./store/commit.ts";
import { keepCopy } from "./store/kept.ts";

/** Shows the plan, asks, and installs. */
export async function applyAdd(plan: AddPlan, options: AddOptions): Promise<void> {
  const { place, skills, findings } = plan;
  const lines = planLines(plan, options);
  if (options.dryRun) {
    if (options.json) printJson(planJson(plan, new Map(), false));
    else print(lines.join("\n"));
    return;
  }
  if (!options.json) note(lines.join("\n"));
  if (!(await confirmAdd(plan, options, "Add"))) return;
  const kept = new Map<string, string>();
  for (const { skill, isEndangered, state } of skills)
    if (isEndangered && state.kind !== "link") kept.set(skill.name, await keepCopy(place, skill.name));
  await commitInstall(
    place,
    skills.map(({ skill, from, locked, state, action }) => ({
      name: skill.name,
      action: "put",
      before: digestBefore(state),
      locked,
      clients: plan.clients,
      ...(action === "unchanged" ? {} : { from }),
    })),
  );
  for (const { skill, locked } of skills)
    keepTexts(place.lock, skillFolder(place, skill.name).dir, locked.files);
  if (options.json) {
    printJson(planJson(plan, kept, true));
    return;
  }
  for (const { skill, action } of skills)
    print(`${action} ${skill.name}: ${visiblePath(skillFolder(place, skill.name).dir)}`);
  for (const [name, path] of kept) note(`The files of ${name} as they were: ${visiblePath(path)}`);
  if (findings.some(({ severity }) => severity !== "note")) note('"knack lint" shows the findings again.');
}

function planLines(plan: AddPlan, options: AddOptions): string[] {
  const { place, fetched, skills, findings, clients } = plan;
  const fd = options.dryRun ? 1 : 2;
  const files = skills.reduce((sum, { skill }) => sum + skill.files.size, 0);
  const bytes = skills.reduce((sum, { skill }) => sum + skill.bytes, 0);
  const found = findingLines(findings, options);
  const planned = new Map(skills.map((one) => [one.skill, one]));
  return [
    `From ${sourceLine(fetched)}`,
    ...offerLines([...planned.keys()], options, fd, (skill) => remarksOf(planned.get(skill) as PlannedSkill)),
    ...(found.length === 0 ? [] : ["", ...found]),
    "",
    `${pluralize(skills.length, "skill")}, ${pluralize(files, "file")}, ${bytesText(bytes)} to ${visiblePath(place.skillsFolder)}${
      clients.length === 0 ? "" : `, also for ${clients.join(", ")}`
    }`,
  ];
}

function remarksOf({ action, state, isEndangered, invalid }: PlannedSkill): string[] {
  const problems = invalid.map(
    (message) => `not valid, so Knack will not offer it: ${escapeControl(message)}`,
  );
  if (action === "added") return problems;
  if (action === "unchanged") return ["already there, with the same files", ...problems];
  if (isEndangered) return ["replaces your own files; a copy is kept", ...problems];
  const from = "locked" in state ? state.locked : undefined;
  const at = from?.commit === undefined ? "" : ` at ${shortCommit(from.commit)}`;
  return [`replaces the version from ${visiblePath(from?.source ?? "this folder")}${at}`, ...problems];
}

function planJson(
  { place, fetched, skills, findings, clients }: AddPlan,
  kept: ReadonlyMap<string, string>,
  applied: boolean,
): object {
  const { source, ref, commit } = fetched;
  return {
    source,
    ref,
    commit,
    applied,
    skills: skills.map(({ skill, locked, action }) => ({
      name: skill.name,
      path: skill.path || ".",
      folder: skillFolder(place, skill.name).dir,
      action,
      files: skill.files.size,
      bytes: skill.bytes,
      executables: skill.executables,
      sha256: locked.sha256,
      ...(kept.has(skill.name) ? { kept: kept.get(skill.name) } : {}),
    })),
    clients,
    findings: findings.filter(({ severity }) => severity !== "note"),
  };
}
