import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@knack/core";
import { checkSkillText } from "@knack/core/check";
import type { ClientId } from "@knack/core/config";
import type { SkillLock } from "@knack/core/lock";
import { fewOf, quote } from "@knack/core/text";
import type { OfferedSkill } from "../sources/skills.ts";
import type { Fetched } from "../sources/source.ts";
import { isTerminal } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { clientSkillFolder, clientState } from "./client-links.ts";
import { type IncomingSkill, incomingSkill } from "./incoming.ts";
import { digestBefore, refuseChanges } from "./local-state.ts";
import { type InstallPlace, requireFolder } from "./place.ts";
import { findingsOf, type SkillFinding } from "./show.ts";

export interface PlannedSkill extends IncomingSkill {
  readonly action: "added" | "replaced" | "unchanged";
  /** Why the catalog would leave it out. */
  readonly invalid: readonly string[];
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
    const incoming = await incomingSkill(place, lock, fetched, skill, from);
    const { state, locked } = incoming;
    const isSame = "digest" in state && state.digest === locked.sha256 && state.kind !== "changed";
    const action = isSame ? "unchanged" : state.kind === "absent" ? "added" : "replaced";
    const problems = checkSkillText(readFileSync(join(from, "SKILL.md"), "utf8"), skill.name);
    skills.push({ ...incoming, action, invalid: problems.map(({ message }) => message) });
  }
  refuseChanges(
    place,
    skills.filter((one) => one.isEndangered),
    options.force === true,
  );
  await requireFree(place, clients, skills);
  const names = new Map([...folders].map(([{ name }, from]) => [name, from]));
  return { place, fetched, skills, clients, findings: findingsOf(names) };
}

/** What a user has in a client's own folder stays. */
async function requireFree(
  place: InstallPlace,
  clients: readonly ClientId[],
  skills: readonly PlannedSkill[],
): Promise<void> {
  for (const client of clients)
    for (const { skill, state } of skills) {
      const found = await clientState(place, client, skill.name, digestBefore(state));
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

interface Choice {
  /** Of `--skill`. */
  readonly skill?: readonly string[];
  readonly yes?: boolean;
}

/** The skills that the user wants: those that are named, all with `--yes`, or those chosen from a list. */
export async function chooseSkills(
  skills: readonly OfferedSkill[],
  choice: Choice,
): Promise<readonly OfferedSkill[] | "cancelled"> {
  const chosen = await choose(skills, choice);
  if (chosen === "cancelled") return chosen;
  for (const [name, same] of Map.groupBy(chosen, (skill) => skill.name)) {
    if (same.length === 1) continue;
    const paths = same.map(({ path }) => path || ".");
    throw new SkillError(
      "CONFLICT",
      `The source has ${same.length} skills named ${name}. Name one by its path: --skill ${paths[0]}`,
      paths,
    );
  }
  return chosen;
}

async function choose(
  skills: readonly OfferedSkill[],
  { skill: wanted, yes }: Choice,
): Promise<readonly OfferedSkill[] | "cancelled"> {
  const names = (wanted ?? [])
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (names.length > 0) return [...new Set(names.flatMap((name) => named(skills, name)))];
  if (skills.length === 1 || yes) return skills;
  if (!isTerminal(0) || !isTerminal(2)) {
    const list = fewOf(skills.map(({ name }) => name));
    throw new SkillError(
      "INVALID_PARAM",
      `The source has ${skills.length} skills: ${list}.\nChoose with --skill a,b, or take all with --yes.`,
    );
  }
  return askWhich(skills);
}

function named(skills: readonly OfferedSkill[], wanted: string): OfferedSkill[] {
  const path = wanted.replace(/\/$/, "");
  const found = skills.filter((skill) => skill.name === wanted || (skill.path || ".") === path);
  if (found.length > 0) return found;
  const list = fewOf(skills.map(({ name }) => name));
  throw new SkillError("NOT_FOUND", `The source has no skill ${quote(wanted)}. It has: ${list}.`);
}

async function askWhich(skills: readonly OfferedSkill[]): Promise<readonly OfferedSkill[] | "cancelled"> {
  const { multiselect, isCancel } = await import("@clack/prompts");
  const answer = await multiselect({
    message: `Which of the ${skills.length} skills? (space to select, a for all)`,
    options: skills.map((skill) => {
      const hint = skill.faults.length > 0 ? "refused" : shortened(skill.description);
      const name = escapeControl(skill.name);
      return { value: skill, label: name, hint, disabled: skill.faults.length > 0 };
    }),
    maxItems: 15,
    required: true,
    output: process.stderr,
  });
  return isCancel(answer) ? "cancelled" : (answer as OfferedSkill[]);
}

function shortened(description: string): string {
  const text = escapeControl(description);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
