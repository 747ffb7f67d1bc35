import { digestSkill, keepTexts, type LockedSkill, type SkillLock } from "@knack/core/lock";
import type { CommandOptions } from "../cli/table/table.ts";
import { conflict } from "../options.ts";
import type { OfferedSkill } from "../sources/skills.ts";
import type { Fetched } from "../sources/source.ts";
import { note, print, printJson, requireConsent } from "../terminal/output.ts";
import { pluralize, visiblePath } from "../terminal/visible.ts";
import { lockedSource, pathInSource } from "./fetch.ts";
import { commitInstall, type InstallStep, keepCopy } from "./journal.ts";
import { type InstallPlace, isEndangered, type LocalState, localState, skillFolder } from "./place.ts";
import type { SkillFinding } from "./show.ts";

/** One skill that comes from a source, new or in place of what is there: of `add` and of `update`. */
export interface IncomingSkill {
  readonly name: string;
  readonly skill: OfferedSkill;
  readonly from: string;
  /** What the lock says afterwards. */
  readonly locked: LockedSkill;
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
    ref: ref ?? undefined,
    commit: commit ?? undefined,
    path: pathInSource(path),
    sha256,
    files,
  };
  return { name, skill, from, locked, state, isEndangered: isEndangered(state, sha256) };
}

/** Where copies of the user's own files are, by the name of the skill. */
export type Kept = ReadonlyMap<string, string>;

interface Proposal {
  readonly verb: "Add" | "Link" | "Update";
  /** What the user is asked about; without any, nobody is asked. */
  readonly skills: readonly IncomingSkill[];
  readonly steps: readonly InstallStep[];
  readonly findings: readonly SkillFinding[];
  /** What is shown before the question; on standard output for `--dry-run`. */
  readonly lines: (fd: 1 | 2) => Promise<string[]> | string[];
  readonly report: (applied: boolean, kept: Kept) => object;
  readonly done: readonly string[];
}

/** Shows what would change, asks, keeps copies of what would be lost, installs and locks. False where the user refused. */
export async function carryOut(
  place: InstallPlace,
  proposal: Proposal,
  options: CommandOptions<"update">,
): Promise<boolean> {
  const { skills, steps, report, done } = proposal;
  if (options.dryRun && options.json) printJson(report(false, new Map()));
  if (!options.json) {
    const text = (await proposal.lines(options.dryRun ? 1 : 2)).join("\n");
    if (options.dryRun) print(text);
    else if (text !== "") note(text);
  }
  if (options.dryRun) return true;
  if (skills.length > 0 && !(await confirmChange(proposal, options))) return false;
  const kept = new Map<string, string>();
  for (const { name, isEndangered: wouldBeLost, state } of skills)
    if (wouldBeLost && state.kind !== "link") kept.set(name, await keepCopy(place, name));
  if (steps.length > 0) await commitInstall(place, steps);
  for (const { name, locked } of steps)
    if (locked) keepTexts(place.lock, [{ dir: skillFolder(place, name).dir, files: locked.files }]);
  if (options.json) printJson(report(true, kept));
  else {
    for (const line of done) print(line);
    tellKept(kept);
  }
  return true;
}

/** Asks for consent. `--yes` is no answer to findings of severity error. */
async function confirmChange(
  { verb, skills, findings }: Proposal,
  options: CommandOptions<"update">,
): Promise<boolean> {
  const count = findings.filter(({ severity }) => severity === "error").length;
  const errors = pluralize(count, verb === "Update" ? "new error" : "error");
  const isFine = count === 0 || options.allowFindings === true;
  if (options.yes) {
    if (isFine) return true;
    const object = verb === "Update" ? "" : " the skills";
    throw conflict(
      `knack lint finds ${errors}, so nothing was changed. Read them; --allow-findings ${verb.toLowerCase()}s${object} all the same.`,
    );
  }
  const what = skills.length === 1 ? (skills[0]?.name ?? "") : pluralize(skills.length, "skill");
  if (isFine) return requireConsent(`${verb} ${what}?`);
  const question = `knack lint finds ${errors}. ${verb} ${what} all the same?`;
  return requireConsent(question, { initialValue: false, flags: "--yes and --allow-findings" });
}

export function tellKept(kept: Kept): void {
  for (const [name, path] of kept) note(`The files of ${name} as they were: ${visiblePath(path)}`);
}
