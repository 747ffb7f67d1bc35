import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside, systemCode, updateLock, withoutLocked, writeError } from "@knack/core/internal";
import { note, print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import type { AddOptions } from "./add-options.ts";
import { linkFor } from "./client-links.ts";
import { confirmAdd } from "./confirm-add.ts";
import { type InstallPlace, skillFolder } from "./place.ts";
import type { AddPlan } from "./plan/add-plan.ts";
import { findingLines } from "./show/show-findings.ts";
import { offerLines, sourceLine } from "./show/show-skills.ts";
import { linkTarget } from "./source-text.ts";
import { keepCopy } from "./store/kept.ts";

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
  if (!(await confirmAdd(plan, options, "Link"))) return;
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
