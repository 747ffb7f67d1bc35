import { isAbsolute, relative, sep } from "node:path";
import { isTrusted } from "@knack/core/config";
import { isInside } from "@knack/core/files";
import { type LockedSkill, readLock, type SkillLock } from "@knack/core/lock";
import { fewOf, KnackError, quote } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { invalid, notFound } from "../options.ts";
import { fetchSource } from "../sources/fetch-source.ts";
import { isCommit, parseSource, requireRef } from "../sources/parse-source.ts";
import { makeScratch, type Scratch } from "../sources/scratch.ts";
import { type Offer, readSkills } from "../sources/skills.ts";
import { type Fetched, type FetchPlace, publicName, SOURCE_LIMITS, type Source } from "../sources/source.ts";
import { isTerminal, note, Progress, requireConsent } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { recoverInstall } from "./journal.ts";
import { type InstallPlace, installPlace, meantNames, skillFolder } from "./place.ts";

export interface Download extends Offer, Disposable {
  readonly fetched: Fetched;
  readonly scratch: Scratch;
}

export async function downloadSource(
  source: Source,
  place: InstallPlace,
  signal: AbortSignal,
  label: string,
): Promise<Download> {
  using _waiting = showWaiting(`Fetching ${label}`);
  using failed = new DisposableStack();
  const scratch = failed.use(makeScratch(place.scratch));
  const fetched = await fetchSource(source, fetchPlace(scratch, place, signal));
  const offer = readSkills(fetched);
  const kept = failed.move();
  return { ...offer, fetched, scratch, [Symbol.dispose]: () => kept.dispose() };
}

export function fetchPlace(scratch: Scratch, { env }: InstallPlace, signal: AbortSignal): FetchPlace {
  return {
    scratch: scratch.path,
    env,
    signal: AbortSignal.any([signal, AbortSignal.timeout(SOURCE_LIMITS.milliseconds)]),
    mayAsk: isTerminal(0) && isTerminal(2),
  };
}

/** A local source as a lock names it: relative in a project, so that it holds on other machines too; else from the home folder. */
export function lockedSource(source: string, { base, scope, home }: InstallPlace): string {
  if (!isAbsolute(source)) return source;
  if (scope === "project" && isInside(source, base)) {
    const way = relative(base, source).split(sep).join("/");
    return way === "" ? "." : `./${way}`;
  }
  return source !== home && isInside(source, home) ? `~${source.slice(home.length)}` : source;
}

/** The source of a locked skill. A stranger may have written the lock, so it is read as carefully as what a user types. */
function sourceOfLocked(locked: LockedSkill, { base, home, scope }: InstallPlace): Source | undefined {
  if (locked.source === undefined) return undefined;
  // On Windows the mere look at it would log in to that host, before anybody is asked.
  if (scope === "project" && /^[\\/]{2}/.test(locked.source))
    throw invalid(`${quote(locked.source)} is a folder of another machine.`);
  const source = parseSource(locked.source, { cwd: base, home });
  if (locked.ref === undefined) return source;
  if (source.kind === "npm") return parseSource(`npm:${source.name}@${locked.ref}`, { cwd: base, home });
  return source.kind === "git" ? { ...source, ref: requireRef(locked.ref) } : source;
}

export const pathInSource = (path: string): string => (path === "" ? "." : path);

export function showWaiting(text: string): Disposable {
  const started = performance.now();
  const progress = new Progress((seconds) => `${visiblePath(text)} (${seconds} s)`);
  const timer = setInterval(() => progress.tell(Math.floor((performance.now() - started) / 1000)), 1000);
  timer.unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      progress.end();
    },
  };
}

export interface SourcedSkill {
  readonly name: string;
  readonly locked: LockedSkill;
}

/** Locked skills that come from one ref of one source. */
export interface SourceGroup {
  readonly source: Source;
  readonly label: string;
  /** A commit was asked for, so nothing newer is. */
  readonly isPinned: boolean;
  readonly skills: readonly SourcedSkill[];
}

/** Skills that could not be got, and why; `null`: their lock names no source. */
export interface FailedSource {
  readonly source: string | null;
  readonly names: readonly string[];
  readonly message: string;
}

/** The skills of these names, or all that came from a source, by their sources. */
function groupLocked(place: InstallPlace, lock: SkillLock, names: readonly string[]) {
  const own = [...lock].filter(
    ([, { folder }]) => skillFolder(place, folder.split("/").at(-1) ?? "").folder === folder,
  );
  const byName = new Map(own.map(([, locked]) => [locked.folder.split("/").at(-1) ?? "", locked]));
  for (const name of names) requireSource(name, byName);
  const chosen = names.length > 0 ? [...new Set(names)] : [...byName.keys()];
  const groups = new Map<string, SourceGroup & { skills: SourcedSkill[] }>();
  const failed: FailedSource[] = [];
  for (const name of chosen) {
    const locked = byName.get(name);
    if (locked?.source === undefined) continue;
    const key = JSON.stringify([locked.source, locked.ref]);
    try {
      const group = groups.get(key) ?? { ...groupOf(locked, place), skills: [] };
      group.skills.push({ name, locked });
      groups.set(key, group);
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      failed.push({ source: null, names: [name], message: error.message });
    }
  }
  return { groups: [...groups.values()], failed };
}

function groupOf(locked: LockedSkill, place: InstallPlace): Omit<SourceGroup, "skills"> {
  const source = sourceOfLocked(locked, place) as Source;
  const isPinned = source.kind === "git" && source.ref !== null && isCommit(source.ref);
  const at = locked.ref === undefined ? "" : `#${locked.ref}`;
  return { source, label: `${publicName(source)}${at}`, isPinned };
}

function requireSource(name: string, known: ReadonlyMap<string, LockedSkill>): void {
  const locked = known.get(name);
  if (locked?.source !== undefined) return;
  if (locked)
    throw notFound(`skills.lock does not say where ${name} came from; "knack add" gets it from a source.`);
  const list = [...known].filter(([, { source }]) => source !== undefined).map(([one]) => one);
  const rest = list.length === 0 ? "No skill here came from a source." : `These did: ${fewOf(list)}.`;
  throw notFound(`No skill ${quote(name)} was added here. ${rest}`);
}

/** The sources of the locked skills, of these names or of all. `undefined` where the user does not want them to be contacted. */
export async function openSources(references: readonly string[], options: CommandOptions<"outdated">) {
  const place = installPlace(options);
  await recoverInstall(place);
  const lock = (await readLock(place.lock)) ?? new Map();
  const names = await meantNames(place, lock, references, options);
  const { groups, failed } = groupLocked(place, lock, names);
  const open = groups.filter(({ isPinned }) => !isPinned);
  return (await mayContact(place, open, options)) ? { place, lock, groups, open, failed } : undefined;
}

/** A stranger's lock can name any address: in a project that is not trusted, its sources are contacted only if the user says so. */
async function mayContact(
  place: InstallPlace,
  groups: readonly SourceGroup[],
  options: { readonly yes?: boolean },
): Promise<boolean> {
  if (groups.length === 0 || options.yes || place.scope === "user" || isTrusted(place.base, place))
    return true;
  const list = [...new Set(groups.map(({ label }) => `  ${visiblePath(label)}`))].join("\n");
  note(`skills.lock of this project, which you have not trusted, names these sources:\n${list}`);
  return requireConsent(`Contact ${groups.length === 1 ? "this source" : `these ${groups.length} sources`}?`);
}
