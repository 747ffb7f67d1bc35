import { existsSync } from "node:fs";
import type { SkillMetadata } from "@knack/core";
import {
  folderOf,
  type LockPlace,
  type LockReport,
  lockOf,
  lockPlaces,
  lockSkills,
  readLock,
  updateLock,
  withoutLocked,
} from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import { recoverInstalls } from "../../install/recover.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl, visiblePath } from "../../terminal/visible.ts";

export interface LockOptions extends GlobalOptions {
  readonly user?: boolean;
}

export async function lock(references: readonly string[], options: LockOptions): Promise<void> {
  await recoverInstalls(options);
  const project = openProject(options);
  const catalog = await project.catalog({ enabled: true });
  const places = lockPlaces(catalog.projectRoot, project.place);
  const reports: [LockPlace, LockReport][] = [];
  if (references.length === 0) {
    const place = options.user ? places.user : places.project;
    const skills = catalog.entries
      .map(({ skill }) => skill)
      .filter((skill) => lockOf(skill, places) === place);
    reports.push([place, await lockSkills(place, skills, { dropsGone: true })]);
  } else {
    const named: SkillMetadata[] = [];
    const candidates = options.user ? [places.user] : [places.project, places.user];
    for (const reference of new Set(references)) {
      const gone = await dropIfGone(reference, candidates);
      if (gone) reports.push(gone);
      else named.push(catalog.resolveEntry(reference, { includeInactive: true }).skill);
    }
    for (const place of candidates) {
      const skills = named.filter((skill) => lockOf(skill, places) === place);
      if (skills.length > 0) reports.push([place, await lockSkills(place, skills)]);
    }
  }
  if (reports.some(([, { refused }]) => refused.length > 0)) process.exitCode = 1;
  if (options.json) printJson(reportJson(reports));
  else for (const [place, report] of reports) tell(place, report, options);
}

/** An entry of this key without a folder is removed: nothing else can be meant. */
async function dropIfGone(
  key: string,
  places: readonly LockPlace[],
): Promise<[LockPlace, LockReport] | undefined> {
  for (const place of places) {
    const locked = (await readLock(place))?.get(key);
    if (!locked || existsSync(folderOf(place, locked.folder))) continue;
    const after = await updateLock(place, (before) => withoutLocked(before, locked.folder));
    return [place, { lock: after, done: [], refused: [], dropped: [{ key, folder: locked.folder }] }];
  }
  return undefined;
}

function reportJson(reports: readonly [LockPlace, LockReport][]): object {
  const all = reports.map(([, report]) => report);
  return {
    files: [...new Set(reports.map(([{ file }]) => file))],
    locked: all.flatMap(({ done }) => done),
    dropped: all.flatMap(({ dropped }) => dropped),
    refused: all.flatMap(({ refused }) =>
      refused.map(({ name, dir, faults }) => ({ name, path: dir, faults })),
    ),
  };
}

const SAID = { new: "locked", updated: "locked again", same: "unchanged" } as const;

function tell({ file }: LockPlace, report: LockReport, options: LockOptions): void {
  const { done, dropped, refused } = report;
  const lines = done
    .filter(({ change }) => change !== "same")
    .map(
      ({ name, change, files }) =>
        `${SAID[change].padEnd(12)}  ${escapeControl(name)} (${pluralize(files, "file")})`,
    );
  for (const { key, folder } of dropped)
    lines.push(`${"removed".padEnd(12)}  ${escapeControl(key)}: ${visiblePath(folder)} is gone`);
  print(lines.join("\n"));
  const label = painter(options, 2)("red", "error:");
  for (const { name, dir, faults } of refused) {
    const [first] = faults;
    const what = first?.path ? visiblePath(first.path) : visiblePath(dir);
    const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
    note(
      `${label} ${escapeControl(name)} cannot be locked: ${what} is ${escapeControl(first?.detail ?? "")}${more}. Replace it with a regular file.`,
    );
  }
  const same = done.filter(({ change }) => change === "same").length;
  const parts = [`${pluralize(done.length, "skill")} in ${visiblePath(file)}`];
  if (same > 0) parts.push(`${same} unchanged`);
  if (refused.length > 0) parts.push(`${refused.length} not locked`);
  note(painter(options, 2)("dim", parts.join(" · ")));
}
