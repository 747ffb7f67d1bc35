import { SkillError } from "@knack/core";
import type { ClientId } from "@knack/core/config";
import { digestSkill, keepTexts, type LockedSkill, type SkillLock } from "@knack/core/lock";
import type { GlobalOptions } from "../options.ts";
import type { OfferedSkill } from "../sources/skills.ts";
import type { Fetched } from "../sources/source.ts";
import { note } from "../terminal/output.ts";
import { pluralize, visiblePath } from "../terminal/visible.ts";
import { lockedSource, pathInSource } from "./fetch.ts";
import { commitInstall, keepCopy } from "./journal.ts";
import { digestBefore, isEndangered, type LocalState, localState } from "./local-state.ts";
import { type InstallPlace, skillFolder } from "./place.ts";
import { ask, type SkillFinding } from "./show.ts";

/** One skill that comes from a source, new or in place of what is there: of `add` and of `update`. */
export interface IncomingSkill {
  readonly name: string;
  readonly skill: OfferedSkill;
  /** Its files, in the scratch folder. */
  readonly from: string;
  /** What the lock says afterwards. */
  readonly locked: LockedSkill;
  /** What is at its place now. */
  readonly state: LocalState;
  /** Files at its place would be lost, so a copy is kept first. */
  readonly isEndangered: boolean;
}

export async function incomingSkill(
  place: InstallPlace,
  lock: SkillLock,
  { source, ref, commit }: Fetched,
  skill: OfferedSkill,
  from: string,
): Promise<IncomingSkill> {
  const { name, path } = skill;
  const { sha256, files } = await digestSkill(from);
  const state = await localState(place, lock, name);
  const locked = {
    folder: skillFolder(place, name).folder,
    source: lockedSource(source, place),
    ...(ref === null ? {} : { ref }),
    ...(commit === null ? {} : { commit }),
    path: pathInSource(path),
    sha256,
    files,
  };
  return { name, skill, from, locked, state, isEndangered: isEndangered(state, sha256) };
}

/** Asks for consent. `--yes` is no answer to findings of severity error. */
export async function confirmChange(
  verb: "Add" | "Link" | "Update",
  skills: readonly { readonly name: string }[],
  findings: readonly SkillFinding[],
  options: { readonly yes?: boolean; readonly allowFindings?: boolean },
): Promise<boolean> {
  const count = findings.filter(({ severity }) => severity === "error").length;
  const errors = pluralize(count, verb === "Update" ? "new error" : "error");
  const isFine = count === 0 || options.allowFindings === true;
  if (options.yes) {
    if (isFine) return true;
    const object = verb === "Update" ? "" : " the skills";
    throw new SkillError(
      "CONFLICT",
      `knack lint finds ${errors}, so nothing was changed. Read them; --allow-findings ${verb.toLowerCase()}s${object} all the same.`,
    );
  }
  const what = skills.length === 1 ? (skills[0]?.name ?? "") : pluralize(skills.length, "skill");
  if (isFine) return ask(`${verb} ${what}?`, true);
  return ask(
    `knack lint finds ${errors}. ${verb} ${what} all the same?`,
    false,
    "--yes and --allow-findings",
  );
}

/** A step of an installation: a skill with its clients; without new files only its lock entry changes. */
export interface IncomingStep {
  readonly name: string;
  readonly locked: LockedSkill;
  readonly before: string | null;
  readonly clients: readonly ClientId[];
  readonly from?: string;
}

/** Keeps copies of what would be lost, then installs and locks. Answers where the copies are, by name. */
export async function installIncoming(
  place: InstallPlace,
  skills: readonly IncomingSkill[],
  steps: readonly IncomingStep[],
): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>();
  for (const { name, isEndangered: wouldBeLost, state } of skills)
    if (wouldBeLost && state.kind !== "link") kept.set(name, await keepCopy(place, name));
  if (steps.length > 0)
    await commitInstall(
      place,
      steps.map((step) => ({ ...step, action: "put" })),
    );
  for (const { name, locked } of skills) keepTexts(place.lock, skillFolder(place, name).dir, locked.files);
  return kept;
}

export const stepOf = (
  { name, from, locked, state }: IncomingSkill,
  clients: readonly ClientId[],
): IncomingStep => ({ name, locked, before: digestBefore(state), clients, from });

export function tellKept(kept: ReadonlyMap<string, string>, options: GlobalOptions): void {
  if (options.json) return;
  for (const [name, path] of kept) note(`The files of ${name} as they were: ${visiblePath(path)}`);
}
