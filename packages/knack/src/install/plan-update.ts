import { join } from "node:path";
import { isTrusted, KnackError, SkillError } from "@knack/core";
import { type LockedSkill, readLock, type SkillLock } from "@knack/core/lock";
import { fewOf, quote } from "@knack/core/text";
import { isCommit } from "../sources/parse-source.ts";
import { type OfferedSkill, takeSkills } from "../sources/skills.ts";
import { publicName, type Source } from "../sources/source.ts";
import { note } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import { type Download, downloadSource, pathInSource, sourceOfLocked } from "./fetch.ts";
import { type IncomingSkill, incomingSkill } from "./incoming.ts";
import { recoverInstall } from "./journal.ts";
import type { LocalState } from "./local-state.ts";
import { type InstallPlace, installPlace, skillFolder } from "./place.ts";
import { ask, findingsOf, type SkillFinding } from "./show.ts";

/** A skill for which its source has other files than the project has. */
export interface PlannedUpdate extends IncomingSkill {
  readonly before: LockedSkill;
  readonly newFindings: readonly SkillFinding[];
  readonly goneFindings: readonly SkillFinding[];
}

export interface UpdatePlan {
  readonly updates: readonly PlannedUpdate[];
  /** As their sources have them; the lock may still get a newer commit. */
  readonly unchanged: readonly {
    readonly name: string;
    readonly before: LockedSkill;
    readonly locked: LockedSkill;
  }[];
  /** The user changed them, and their source has nothing new. */
  readonly edited: readonly string[];
  /** No longer in their source. */
  readonly vanished: readonly { readonly name: string; readonly source: string }[];
  readonly failed: readonly {
    readonly source: string;
    readonly names: readonly string[];
    readonly message: string;
  }[];
}

/** Fetches one source after the other and compares. A source that fails does not stop the others. */
export async function planUpdate(
  place: InstallPlace,
  lock: SkillLock,
  groups: readonly SourceGroup[],
  {
    restores,
    signal,
    keep,
  }: {
    /** Whether files that the user changed are to be as the source has them, though it has nothing new. */
    readonly restores: boolean;
    readonly signal: AbortSignal;
    readonly keep: DisposableStack;
  },
): Promise<UpdatePlan> {
  const plan = { updates: [] as PlannedUpdate[], unchanged: [] as UpdatePlan["unchanged"][number][] };
  const edited: string[] = [];
  const vanished: UpdatePlan["vanished"][number][] = [];
  const failed: UpdatePlan["failed"][number][] = [];
  for (const group of groups) {
    const names = group.skills.map(({ name }) => name);
    try {
      const download = keep.use(await downloadSource(group.source, place, signal, group.label));
      const offered = new Map<SourcedSkill, OfferedSkill>();
      for (const skill of group.skills) {
        const found = offeredFor(skill, download);
        if (found) offered.set(skill, found);
        else vanished.push({ name: skill.name, source: group.label });
      }
      const folders = takeSkills([...offered.values()], join(download.scratch.path, "skills"));
      for (const [{ name, locked: before }, skill] of offered) {
        const from = folders.get(skill) ?? "";
        const incoming = await incomingSkill(place, lock, download.fetched, skill, from);
        const { state, locked } = incoming;
        const isSame = "digest" in state && state.digest === locked.sha256;
        if (isSame) plan.unchanged.push({ name, before, locked });
        else if (!restores && state.kind === "changed" && locked.sha256 === before.sha256) edited.push(name);
        else plan.updates.push({ ...incoming, before, ...compare(place, name, from, state) });
      }
    } catch (error) {
      if (!(error instanceof KnackError) || signal.aborted) throw error;
      failed.push({ source: group.label, names, message: error.message });
    }
  }
  return { ...plan, edited, vanished, failed };
}

/** By its path; where it is no longer there, by its name. */
function offeredFor({ name, locked }: SourcedSkill, { skills }: Download): OfferedSkill | undefined {
  const same = skills.filter((skill) => skill.name === name);
  return (
    same.find(({ path }) => pathInSource(path) === locked.path) ?? (same.length === 1 ? same[0] : undefined)
  );
}

function compare(
  place: InstallPlace,
  name: string,
  from: string,
  state: LocalState,
): Pick<PlannedUpdate, "newFindings" | "goneFindings"> {
  const after = findingsOf(new Map([[name, from]]));
  const before = "digest" in state ? findingsOf(new Map([[name, skillFolder(place, name).dir]])) : [];
  const without = (some: readonly SkillFinding[], others: readonly SkillFinding[]): SkillFinding[] => {
    const known = new Set(others.map(({ fingerprint }) => fingerprint));
    return some.filter(({ fingerprint }) => !known.has(fingerprint));
  };
  return { newFindings: without(after, before), goneFindings: without(before, after) };
}

/** A locked skill that came from somewhere. */
interface SourcedSkill {
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
    const known = groups.get(key);
    if (known) known.skills.push({ name, locked });
    else {
      try {
        const source = sourceOfLocked(locked, place) as Source;
        const ref = source.kind === "git" ? source.ref : null;
        const isPinned = ref !== null && isCommit(ref);
        const at = locked.ref === undefined ? "" : `#${locked.ref}`;
        groups.set(key, {
          source,
          label: `${publicName(source)}${at}`,
          isPinned,
          skills: [{ name, locked }],
        });
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        bad.push({ name, message: error.message });
      }
    }
  }
  return { groups: [...groups.values()], bad };
}

function requireSource(name: string, known: ReadonlyMap<string, LockedSkill>): void {
  const locked = known.get(name);
  if (locked?.source !== undefined) return;
  if (locked)
    throw new SkillError(
      "NOT_FOUND",
      `skills.lock does not say where ${name} came from; "knack add" gets it from a source.`,
    );
  const list = [...known].filter(([, { source }]) => source !== undefined).map(([one]) => one);
  const rest = list.length === 0 ? "No skill here came from a source." : `These did: ${fewOf(list)}.`;
  throw new SkillError("NOT_FOUND", `No skill ${quote(name)} was added here. ${rest}`);
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
  return ask(`Contact ${groups.length === 1 ? "this source" : `these ${groups.length} sources`}?`, true);
}
