import { SkillError } from "../../shared/errors.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { escapeXml, oneLine } from "./escape.ts";
import { commonLength, fits, shorten } from "./fit-descriptions.ts";
import { forModels } from "./for-models.ts";
import { thousands } from "./thousands.ts";

/** The list of skills in the description of the `Skill` tool (document 001, Skill Tool Prompt). */
export interface SkillList {
  readonly text: string;
  readonly truncated: boolean;
}

const DEFAULT_CHAR_BUDGET = 12_000;

/** `SKILLS_PROMPT_CHAR_BUDGET`: how many characters the list may have. */
export function charBudget(env: Readonly<Record<string, string | undefined>>): number {
  const given = env.SKILLS_PROMPT_CHAR_BUDGET ?? "";
  if (given === "") return DEFAULT_CHAR_BUDGET;
  const budget = /^[0-9]+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(budget)) return budget;
  throw new SkillError(
    "CONFIG_INVALID",
    `SKILLS_PROMPT_CHAR_BUDGET is "${oneLine(given)}"; it must be a whole number of characters, such as ${DEFAULT_CHAR_BUDGET}.`,
  );
}

/**
 * A line for each skill: `- name: description`. What is cut if the budget is small, in this order: the length of
 * descriptions, all descriptions, skills from the end; then a last line says what is missing and points to
 * `skill_search`. If not even that line fits, the list is empty. Characters are counted as JavaScript does.
 */
export function renderSkillList(skills: readonly SkillMetadata[], budget: number): SkillList {
  const visible = forModels(skills);
  const total = visible.length;
  const names = namesThatFit(visible, budget);
  if (names.length === total) {
    const described = describe(names, visible, budget);
    if (described) return described;
  }
  for (let shown = names.length; shown >= 0; shown--) {
    const text = [...names.slice(0, shown), pointer(total - shown, shown > 0 ? "left out" : "whole")].join(
      "\n",
    );
    if (text.length <= budget) return { text, truncated: true };
  }
  return { text: "", truncated: total > 0 };
}

/** Stops at the budget: the rest of a very long catalog is not rendered. */
function namesThatFit(skills: readonly SkillMetadata[], budget: number): string[] {
  const names: string[] = [];
  let used = -1; // The last line has no line end.
  for (const skill of skills) {
    const name = `- ${escapeXml(oneLine(skill.name))}`;
    used += name.length + 1;
    if (used > budget) break;
    names.push(name);
  }
  return names;
}

/** All skills, with descriptions as long as fit. */
function describe(
  names: readonly string[],
  skills: readonly SkillMetadata[],
  budget: number,
): SkillList | undefined {
  const descriptions = skills.map((skill) => oneLine(skill.description));
  const lines = (length: number): string[] =>
    names.map((name, index) => name + detail(shorten(descriptions[index] ?? "", length, charsOfDetail)));
  const roomBeside = (bare: readonly string[]): number => budget - bare.join("\n").length;
  if (fits(descriptions, Number.POSITIVE_INFINITY, roomBeside(names), charsOfDetail))
    return { text: lines(Number.POSITIVE_INFINITY).join("\n"), truncated: false };
  const last = pointer(0, "shortened");
  const length = commonLength(descriptions, roomBeside([...names, last]), charsOfDetail);
  return length === undefined ? undefined : { text: [...lines(length), last].join("\n"), truncated: true };
}

function detail(description: string): string {
  return description === "" ? "" : `: ${escapeXml(description)}`;
}

function charsOfDetail(description: string): number {
  return detail(description).length;
}

function pointer(unlisted: number, descriptions: "whole" | "shortened" | "left out"): string {
  const sentences = [
    ...(unlisted === 0
      ? []
      : [`${thousands(unlisted)} more skill${unlisted === 1 ? " is" : "s are"} not listed.`]),
    ...(descriptions === "whole" ? [] : [`Descriptions are ${descriptions}.`]),
    "Use skill_search to find the rest.",
  ];
  return sentences.join(" ");
}
