import { isTrusted, SkillError } from "@knack/core";
import { type LockedSkill, readLock, type SkillLock } from "@knack/core/lock";
import { fewOf, quote } from "@knack/core/text";
import { notFound } from "../options.ts";
import { isCommit } from "../sources/parse-source.ts";
import { publicName, type Source } from "../sources/source.ts";
import { note, requireConsent } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { sourceOfLocked } from "./fetch.ts";
import { recoverInstall } from "./journal.ts";
import { type InstallPlace, installPlace, skillFolder } from "./place.ts";

/** A locked skill that came from somewhere. */
export interface SourcedSkill {
  readonly name: string;
  readonly locked: LockedSkill;
}

/** Locked skills that come from one ref of one source. */
export interface SourceGroup {
  readonly source: Source;
  /** Without anything secret. */
  readonly label: string;
  /** A commit was asked for, so nothing newer is. */
  readonly isPinned: boolean;
  readonly skills: readonly SourcedSkill[];
}

/** A source of the lock that cannot be one. */
export interface BadSource {
  readonly name: string;
  readonly message: string;
}

/** The skills of these names, or all that came from a source, by their sources. */
function groupLocked(
  place: InstallPlace,
  lock: SkillLock,
  names: readonly string[],
): { readonly groups: readonly SourceGroup[]; readonly bad: readonly BadSource[] } {
  const own = [...lock].filter(
    ([, { folder }]) => skillFolder(place, folder.split("/").at(-1) ?? "").folder === folder,
  );
  const byName = new Map(own.map(([, locked]) => [locked.folder.split("/").at(-1) ?? "", locked]));
  for (const name of names) requireSource(name, byName);
  const chosen = names.length > 0 ? [...new Set(names)] : [...byName.keys()];
  const groups = new Map<string, SourceGroup & { skills: SourcedSkill[] }>();
  const bad: BadSource[] = [];
  for (const name of chosen) {
    const locked = byName.get(name);
    if (locked?.source === undefined) continue;
    const key = JSON.stringify([locked.source, locked.ref]);
    try {
      const group = groups.get(key) ?? { ...groupOf(locked, place), skills: [] };
      group.skills.push({ name, locked });
      groups.set(key, group);
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      bad.push({ name, message: error.message });
    }
  }
  return { groups: [...groups.values()], bad };
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
export async function openSources(
  names: readonly string[],
  options: { readonly cwd?: string; readonly user?: boolean; readonly yes?: boolean },
) {
  const place = installPlace(options);
  await recoverInstall(place);
  const lock = (await readLock(place.lock)) ?? new Map();
  const { groups, bad } = groupLocked(place, lock, names);
  const open = groups.filter(({ isPinned }) => !isPinned);
  return (await mayContact(place, open, options)) ? { place, lock, groups, open, bad } : undefined;
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
