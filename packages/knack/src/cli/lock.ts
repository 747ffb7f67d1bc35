import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { SkillMetadata } from "@knack/core";
import {
  type FileChange,
  folderOf,
  type LockPlace,
  type LockReport,
  lockFolder,
  lockOf,
  lockPlaces,
  lockSkills,
  readLock,
  updateLock,
  withoutLocked,
} from "@knack/core/lock";
import { KnackError, quote } from "@knack/core/text";
import { openProject, type Project } from "../host/open-project.ts";
import { changesOf, type Difference, diffOf, folderOfPinned, type Pinned, readPins } from "../host/pins.ts";
import { recoverInstalls } from "../install/journal.ts";
import { type GlobalOptions, notFound } from "../options.ts";
import { note, noteError, noteVerdict, paint, print, printJson, remark } from "../terminal/output.ts";
import { paintDiffLine } from "../terminal/unified-diff.ts";
import {
  escapeControl,
  escapeControlInText,
  pluralize,
  shortPath,
  visiblePath,
} from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

type Locks = Awaited<ReturnType<typeof openLocks>>;

/** Reads the project's lock and the user's, and what they are about; `user`: the user's alone. */
async function openLocks(project: Project, user = false, since?: "accepted") {
  const catalog = await project.catalog({ enabled: true });
  const both = lockPlaces(catalog.projectRoot, project.place);
  const places = user ? [both.user] : [both.project, both.user];
  const { pinned, existing } = await readPins(places, since);
  return { catalog, both, places, pinned, existing };
}

/** The entries that a name, a path or a key of the lock means. Throws `KnackError` where there is none. */
function findPinned(locks: Locks, reference: string): readonly Pinned[] {
  const { catalog, pinned, both } = locks;
  const found = catalog.candidates(reference).map(({ skill }) => skill);
  const wanted = new Set(
    found.map((skill) => {
      const place = lockOf(skill, both);
      return `${place.file}\n${lockFolder(place, skill.dir)}`;
    }),
  );
  const meant = pinned.filter((one) => wanted.has(`${one.place.file}\n${folderOfPinned(one)}`));
  if (meant.length > 0) return meant;
  const byKey = pinned.filter(({ key }) => key === reference);
  if (byKey.length > 0) return byKey;
  const why =
    found.length > 0
      ? `${quote(reference)} is not locked; "knack lock ${reference}" locks it.`
      : `No skill and no lock entry is called ${quote(reference)}. "knack list" shows all skills.`;
  throw notFound(why);
}

const dirOf = (pinned: Pinned): string => folderOf(pinned.place, folderOfPinned(pinned));

function changeLines(changes: readonly FileChange[]): string[] {
  return changes.map(({ kind, path, detail }) => {
    const what = path === "" ? "the whole folder" : visiblePath(path);
    const how = kind === "unknown" ? "unreadable" : kind;
    return `  ${how.padEnd(10)}  ${what}${detail === undefined ? "" : ` (${escapeControl(detail)})`}`;
  });
}

export async function diff(reference: string, options: GlobalOptions): Promise<void> {
  await recoverInstalls(options);
  const found = findPinned(await openLocks(openProject(options), false, "accepted"), reference);
  const [pinned] = found;
  if (!pinned || found.length > 1)
    throw new KnackError(
      "AMBIGUOUS",
      `${quote(reference)} could mean ${found.length} locked skills; name one by its path.`,
      { candidates: found.map(dirOf) },
    );
  const differences: Difference[] = [];
  for (const change of await changesOf(pinned)) differences.push(await diffOf(pinned, change));
  if (options.json) return printJson({ skill: pinned.key, path: dirOf(pinned), changes: differences });
  if (differences.length === 0) return note(`${escapeControl(pinned.key)} is as it was locked.`);
  showDiffs(pinned, differences, options);
}

function showDiffs(pinned: Pinned, differences: readonly Difference[], options: GlobalOptions): void {
  const { key, npx } = pinned;
  const name = escapeControl(key);
  const where = shortPath(dirOf(pinned), resolve(options.cwd ?? "."));
  print([`${paint("bold", name)}  ${where}`, ...changeLines(differences)].join("\n"));
  for (const { diff: text = "" } of differences) {
    // The lines as they are, with what a terminal could obey or hide written out.
    const lines = escapeControlInText(text.trimEnd()).split("\n");
    if (text !== "") print(["", ...lines.map((line) => paintDiffLine(line, paint))].join("\n"));
  }
  const hidden = differences.filter(({ diff: text, path }) => text === undefined && path !== "");
  if (npx) note("skills-lock.json has one hash for all files, so the files that changed are not known.");
  else if (hidden.length > 0) {
    const lines = hidden.map(({ path, locked_sha256: sha256 }) =>
      sha256 === undefined ? `  ${visiblePath(path)}` : `  ${visiblePath(path)}  locked as ${sha256}`,
    );
    note(
      `No text to compare for ${hidden.length === 1 ? "this file" : "these files"}: not a small text file, or locked on another machine.\n${lines.join("\n")}`,
    );
  }
  note(`"knack lock ${name}" accepts the skill as it is now.`);
}

export async function lock(references: readonly string[], options: CommandOptions<"lock">): Promise<void> {
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
  else for (const [place, report] of reports) showLocked(place, report);
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

const DONE = { new: "locked", updated: "locked again", same: "unchanged" } as const;

function showLocked({ file }: LockPlace, report: LockReport): void {
  const { done, dropped, refused } = report;
  const changed = done.filter(({ change }) => change !== "same");
  const line = (how: string, what: string): string => `${how.padEnd(12)}  ${what}`;
  print(
    [
      ...changed.map(({ name, change, files }) =>
        line(DONE[change], `${escapeControl(name)} (${pluralize(files, "file")})`),
      ),
      ...dropped.map(({ key, folder }) =>
        line("removed", `${escapeControl(key)}: ${visiblePath(folder)} is gone`),
      ),
    ].join("\n"),
  );
  for (const { name, dir, faults } of refused) {
    const [first] = faults;
    const isOther = first?.kind === "link" || first?.kind === "special";
    const what = `${visiblePath(first?.path || dir)}${isOther ? " is" : ":"} ${escapeControl(first?.detail ?? "")}`;
    const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
    const why = `${escapeControl(name)} cannot be locked: ${what}${more}.`;
    noteError(
      isOther ? `${why} Replace it with a regular file.` : first?.kind === "name" ? `${why} Rename it.` : why,
    );
  }
  const same = done.length - changed.length;
  const parts = [`${pluralize(done.length, "skill")} in ${visiblePath(file)}`];
  if (same > 0) parts.push(`${same} unchanged`);
  if (refused.length > 0) parts.push(`${refused.length} not locked`);
  remark(parts.join(" · "));
}

interface Problem {
  readonly pinned: Pinned;
  readonly changes: readonly FileChange[];
}

export async function verify(
  references: readonly string[],
  options: CommandOptions<"verify">,
): Promise<void> {
  await recoverInstalls(options);
  const locks = await openLocks(openProject(options), options.user);
  const isAll = references.length === 0;
  const named = references.flatMap((reference) => findPinned(locks, reference));
  const chosen = isAll ? locks.pinned : [...new Set(named)];
  const problems: Problem[] = [];
  for (const pinned of chosen) {
    const changes = await changesOf(pinned);
    if (changes.length > 0) problems.push({ pinned, changes });
  }
  const unlocked = isAll ? notLocked(locks) : [];
  const isFailed = problems.length > 0 || (options.strict === true && unlocked.length > 0);
  process.exitCode = isFailed ? 1 : 0;
  const checked = chosen.length;
  if (options.json)
    printJson({ ok: !isFailed, checked, problems: problems.flatMap(problemJson), not_locked: unlocked });
  else showVerified(problems, unlocked, checked, options);
}

/** Skills that no lock has; the user's own count once the user has a lock. */
function notLocked({ catalog, both, places, pinned, existing }: Locks): { name: string; path: string }[] {
  const isPinned = new Set(pinned.map(dirOf));
  return catalog.entries
    .map(({ skill }) => skill)
    .filter((skill) => {
      const place = places.find((one) => one === lockOf(skill, both));
      if (!place || (place.scope === "user" && places.length > 1 && !existing.has(place))) return false;
      const folder = lockFolder(place, skill.dir);
      return folder === undefined || !isPinned.has(folderOf(place, folder));
    })
    .map(({ name, path }) => ({ name, path }));
}

function problemJson({ pinned, changes }: Problem): object[] {
  const { key, place, npx } = pinned;
  const lock = npx ? resolve(place.base, "skills-lock.json") : place.file;
  return changes.map(({ path: file, kind: change, detail }) => {
    const found = { skill: key, path: dirOf(pinned), lock, file, change };
    return detail === undefined ? found : { ...found, detail };
  });
}

function showVerified(
  problems: readonly Problem[],
  unlocked: readonly { readonly name: string; readonly path: string }[],
  checked: number,
  options: CommandOptions<"verify">,
): void {
  const cwd = resolve(options.cwd ?? ".");
  const lines = problems.flatMap(({ pinned, changes }) => [
    `${paint("bold", escapeControl(pinned.key))}  ${shortPath(dirOf(pinned), cwd)}`,
    ...changeLines(changes),
    `  ${nextStep(pinned)}`,
  ]);
  if (options.strict)
    for (const { name, path } of unlocked)
      lines.push(`${paint("bold", escapeControl(name))}  ${shortPath(path, cwd)}\n  not locked`);
  print(lines.join("\n"));
  const parts = [
    `${pluralize(checked, "locked skill")} checked`,
    problems.length === 1 ? "1 differs" : `${problems.length} differ`,
  ];
  if (checked === 0 && unlocked.length > 0) parts.splice(0, 2, "no skill is locked");
  if (unlocked.length > 0) parts.push(`${unlocked.length} not locked; "knack lock" locks what is there`);
  noteVerdict(parts);
}

function nextStep({ key, locked, npx }: Pinned): string {
  const name = /^[\w.:/-]+$/.test(key) ? key : JSON.stringify(escapeControl(key));
  if (npx)
    return `skills-lock.json has another hash: "npx skills" restores it, "knack lock ${name}" accepts it.`;
  const restore = locked?.source === undefined ? "" : `, "knack update ${name}" restores it`;
  return `"knack diff ${name}" shows what changed, "knack lock ${name}" accepts it${restore}.`;
}
