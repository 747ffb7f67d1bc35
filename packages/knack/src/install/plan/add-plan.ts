import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@knack/core";
import {
  type ClientId,
  checkSkillText,
  digestSkill,
  type LockedSkill,
  type SkillLock,
} from "@knack/core/internal";
import type { OfferedSkill } from "../../sources/skills/read-skills.ts";
import type { Fetched } from "../../sources/source-tree.ts";
import { clientSkillFolder } from "../client-folders.ts";
import { clientState } from "../client-links.ts";
import { type InstallPlace, requireFolder, skillFolder } from "../place.ts";
import { lockedSource, pathInSource } from "../source-text.ts";
import { findingsOf, type SkillFinding } from "./findings.ts";
import { type LocalState, localState } from "./local-state.ts";
import { isEndangered, refuseChanges } from "./refuse-changes.ts";

/** One skill that is to come. */
export interface PlannedSkill {
  readonly skill: OfferedSkill;
  /** Its files, in the scratch folder. */
  readonly from: string;
  readonly locked: LockedSkill;
  readonly state: LocalState;
  readonly action: "added" | "replaced" | "unchanged";
  /** Why the catalog would leave it out. */
  readonly invalid: readonly string[];
  /** Its files would be lost, so a copy is kept first. */
  readonly isEndangered: boolean;
}

export interface AddPlan {
  readonly place: InstallPlace;
  readonly fetched: Fetched;
  readonly skills: readonly PlannedSkill[];
  readonly findings: readonly SkillFinding[];
  readonly clients: readonly ClientId[];
}

export async function planAdd(given: {
  readonly place: InstallPlace;
  readonly fetched: Fetched;
  readonly folders: ReadonlyMap<OfferedSkill, string>;
  readonly lock: SkillLock;
  readonly clients: readonly ClientId[];
  readonly options: { readonly force?: boolean; readonly link?: boolean };
}): Promise<AddPlan> {
  const { place, fetched, folders, lock, clients, options } = given;
  const skills: PlannedSkill[] = [];
  for (const [skill, from] of folders) {
    const state = await localState(place, lock, skill.name);
    const locked = await lockEntry(place, fetched, skill, from);
    const isSame = "digest" in state && state.digest === locked.sha256 && state.kind !== "changed";
    const action = isSame ? "unchanged" : state.kind === "absent" ? "added" : "replaced";
    const problems = await checkSkillText(readFileSync(join(from, "SKILL.md"), "utf8"), skill.name);
    const invalid = problems.map(({ message }) => message);
    skills.push({
      skill,
      from,
      locked,
      state,
      action,
      invalid,
      isEndangered: isEndangered(state, locked.sha256),
    });
  }
  const endangered = skills.filter((one) => one.isEndangered);
  refuseChanges(
    place,
    endangered.map(({ skill, state }) => ({ name: skill.name, state })),
    options.force === true,
  );
  await requireFree(place, clients, skills);
  const names = new Map([...folders].map(([{ name }, from]) => [name, from]));
  return { place, fetched, skills, clients, findings: findingsOf(names) };
}

export async function lockEntry(
  place: InstallPlace,
  { source, ref, commit }: Fetched,
  { name, path }: OfferedSkill,
  from: string,
): Promise<LockedSkill> {
  const { sha256, files } = await digestSkill(from);
  return {
    folder: skillFolder(place, name).folder,
    source: lockedSource(source, place),
    ...(ref === null ? {} : { ref }),
    ...(commit === null ? {} : { commit }),
    path: pathInSource(path),
    sha256,
    files,
  };
}

/** What a user has in a client's own folder stays. */
async function requireFree(
  place: InstallPlace,
  clients: readonly ClientId[],
  skills: readonly PlannedSkill[],
): Promise<void> {
  for (const client of clients)
    for (const { skill, state } of skills) {
      const found = await clientState(place, client, skill.name, "digest" in state ? state.digest : null);
      if (found === "blocked") requireFolder(clientSkillFolder(client, place));
      if (found === "foreign")
        throw new SkillError(
          "CONFLICT",
          `${client} has a skill ${skill.name} of its own already; nothing was changed. Remove it, or leave out --for ${client}.`,
        );
      if (found === "outside")
        throw new SkillError(
          "CONFLICT",
          `The skills folder of ${client} is a link that leads out of the project; nothing was changed.`,
        );
    }
}
