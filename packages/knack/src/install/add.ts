import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { SkillError } from "@knack/core";
import { isInside, systemCode, writeError } from "@knack/core/files";
import { readLock, updateLock, withoutLocked } from "@knack/core/lock";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { parseSource } from "../sources/parse-source.ts";
import { takeSkills } from "../sources/skills.ts";
import { bytesText, publicName } from "../sources/source.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { linkFor, readClients } from "./client-links.ts";
import { downloadSource, linkTarget } from "./fetch.ts";
import { confirmChange, installIncoming, stepOf, tellKept } from "./incoming.ts";
import { keepCopy, recoverInstall } from "./journal.ts";
import { type InstallPlace, installPlace, skillFolder } from "./place.ts";
import { type AddPlan, chooseSkills, type PlannedSkill, planAdd } from "./plan-add.ts";
import { findingLines, notChanged, offerLines, shortCommit, skillJson, sourceLine } from "./show.ts";

/** `knack add`: gets skills from a source, shows what comes, asks, installs and locks them. */
export async function add(given: string, options: AddOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const clients = readClients(options.for);
  const place = installPlace(options);
  const source = parseSource(given, { cwd, home: place.home });
  if (options.link && options.copy) throw new SkillError("INVALID_PARAM", "Choose one of --copy and --link.");
  if (options.link && source.kind !== "folder")
    throw new SkillError(
      "INVALID_PARAM",
      "--link needs a folder of this machine: a path that begins with ./, / or ~/.",
    );
  if (source.kind === "git" && source.isShort && existsSync(join(cwd, given)))
    note(`note: ${given} is read as a GitHub repository; for the folder here write ./${given}`);
  await recoverInstall(place);
  using download = await downloadSource(source, place, interruptible(), publicName(source));
  const { fetched, skills, scratch } = download;
  if (options.list) {
    const { source: name, ref, commit } = fetched;
    if (options.json) printJson({ source: name, ref, commit, skills: skills.map(skillJson) });
    else print([sourceLine(fetched), ...offerLines(skills, options, 1)].join("\n"));
    return;
  }
  const chosen = await chooseSkills(skills, options);
  if (chosen === "cancelled") {
    notChanged(true);
    return;
  }
  const folders = takeSkills(chosen, join(scratch.path, "skills"));
  const lock = (await readLock(place.lock)) ?? new Map();
  const plan = await planAdd({ place, fetched, folders, lock, clients, options });
  if (options.link) await addLinks(plan, options);
  else await applyAdd(plan, options);
}

export interface AddOptions extends GlobalOptions {
  readonly skill?: readonly string[];
  readonly list?: boolean;
  readonly user?: boolean;
  readonly for?: readonly string[];
  readonly copy?: boolean;
  readonly link?: boolean;
  readonly yes?: boolean;
  readonly allowFindings?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

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
  if (!(await confirmChange("Add", skills, findings, options))) return;
  const steps = skills.map((one) => {
    const { from, ...step } = stepOf(one, plan.clients);
    return one.action === "unchanged" ? step : { ...step, from };
  });
  const kept = await installIncoming(place, skills, steps);
  if (options.json) {
    printJson(planJson(plan, kept, true));
    return;
  }
  for (const { skill, action } of skills)
    print(`${action} ${skill.name}: ${visiblePath(skillFolder(place, skill.name).dir)}`);
  tellKept(kept, options);
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

/** `--link`: links to a folder of this machine. What changes there is used at once, so it is not locked. */
export async function addLinks(plan: AddPlan, options: AddOptions): Promise<void> {
  const { place, fetched, skills, findings, clients } = plan;
  const lines = [
    `Links to ${sourceLine(fetched)}`,
    ...offerLines(
      skills.map(({ skill }) => skill),
      options,
      options.dryRun ? 1 : 2,
    ),
    ...findingLines(findings, options),
  ];
  const links = skills.map(({ skill }) => ({
    name: skill.name,
    folder: skillFolder(place, skill.name).dir,
    target: realpathSync(linkTarget(fetched.source, skill.path)),
  }));
  if (options.dryRun) {
    if (options.json) printJson({ source: fetched.source, applied: false, skills: links });
    else print(lines.join("\n"));
    return;
  }
  if (!options.json) note(lines.join("\n"));
  if (!(await confirmChange("Link", skills, findings, options))) return;
  for (const { state, skill } of skills)
    if ("digest" in state)
      note(`The files of ${skill.name} as they were: ${visiblePath(await keepCopy(place, skill.name))}`);
  for (const { name, folder, target } of links) {
    putLink(place, folder, target);
    for (const client of clients) linkFor(place, client, name);
  }
  await updateLock(place.lock, (lock) =>
    links.reduce((before, { name }) => {
      const { folder } = skillFolder(place, name);
      return [...before.values()].some((locked) => locked.folder === folder)
        ? withoutLocked(before, folder)
        : before;
    }, lock),
  );
  if (options.json) printJson({ source: fetched.source, applied: true, skills: links });
  else
    for (const { name, folder, target } of links)
      print(`linked ${name}: ${visiblePath(folder)} -> ${visiblePath(target)}`);
}

function putLink({ base, skillsFolder }: InstallPlace, folder: string, target: string): void {
  const temporary = join(skillsFolder, `.knack-${randomUUID()}`);
  try {
    mkdirSync(skillsFolder, { recursive: true });
    symlinkSync(isInside(target, base) ? relative(skillsFolder, target) : target, temporary, "dir");
    const before = lstatSync(folder, { throwIfNoEntry: false });
    if (before?.isDirectory()) rmSync(folder, { recursive: true });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw writeError(folder, systemCode(error));
  }
}
