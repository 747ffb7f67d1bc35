import { join } from "node:path";
import { KnackError } from "@knack/core";
import type { LockedSkill, SkillLock } from "@knack/core/internal";
import type { OfferedSkill } from "../../sources/skills/read-skills.ts";
import { takeSkills } from "../../sources/skills/take-skills.ts";
import { type Download, downloadSource } from "../fetch.ts";
import { type InstallPlace, skillFolder } from "../place.ts";
import { pathInSource } from "../source-text.ts";
import { lockEntry } from "./add-plan.ts";
import { findingsOf, type SkillFinding } from "./findings.ts";
import { type LocalState, localState } from "./local-state.ts";
import type { SourcedSkill, SourceGroup } from "./locked-skills.ts";
import { isEndangered } from "./refuse-changes.ts";

/** A skill for which its source has other files than the project has. */
export interface PlannedUpdate {
  readonly name: string;
  readonly skill: OfferedSkill;
  readonly from: string;
  readonly before: LockedSkill;
  readonly locked: LockedSkill;
  readonly state: LocalState;
  readonly isEndangered: boolean;
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
      const folders = await takeSkills(
        download.fetched,
        [...offered.values()],
        join(download.scratch.path, "skills"),
      );
      for (const [{ name, locked: before }, skill] of offered) {
        const from = folders.get(skill) ?? "";
        const locked = await lockEntry(place, download.fetched, skill, from);
        const state = await localState(place, lock, name);
        const isSame = "digest" in state && state.digest === locked.sha256;
        if (isSame) plan.unchanged.push({ name, before, locked });
        else if (!restores && state.kind === "changed" && locked.sha256 === before.sha256) edited.push(name);
        else
          plan.updates.push({
            name,
            skill,
            from,
            before,
            locked,
            state,
            isEndangered: isEndangered(state),
            ...compare(place, name, from, state),
          });
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
