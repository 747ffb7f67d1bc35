import { SkillError } from "@knack/core";
import { fewOf, type LockedSkill, quote, type SkillLock } from "@knack/core/internal";
import { isCommit } from "../../sources/check-ref.ts";
import { publicName, type Source } from "../../sources/source.ts";
import { type InstallPlace, skillFolder } from "../place.ts";
import { sourceOfLocked } from "../source-text.ts";

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
export function groupLocked(
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
