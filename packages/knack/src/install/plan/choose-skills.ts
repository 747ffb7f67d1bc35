import { SkillError } from "@knack/core";
import { fewOf, quote } from "@knack/core/internal";
import type { OfferedSkill } from "../../sources/skills/read-skills.ts";
import { isTerminal } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface Choice {
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
  return ask(skills);
}

function named(skills: readonly OfferedSkill[], wanted: string): OfferedSkill[] {
  const path = wanted.replace(/\/$/, "");
  const found = skills.filter((skill) => skill.name === wanted || (skill.path || ".") === path);
  if (found.length > 0) return found;
  const list = fewOf(skills.map(({ name }) => name));
  throw new SkillError("NOT_FOUND", `The source has no skill ${quote(wanted)}. It has: ${list}.`);
}

async function ask(skills: readonly OfferedSkill[]): Promise<readonly OfferedSkill[] | "cancelled"> {
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
