import type { PermissionRule } from "../../config/config.ts";
import { skillNameFault } from "../../config/rule-faults.ts";
import type { ConfigFile } from "../../config/schema.ts";
import { looksLikePath } from "../../config/stated-path.ts";
import { SkillError } from "../../shared/errors.ts";
import { isSame, isSameIgnoringCase } from "../permissions.ts";
import type { ListEdit } from "./edit-lists.ts";

/** A change of policy that a user wants for a skill. */
export interface PolicyChange {
  /** `remember`: the answer "always allow"; it removes no deny rule, because a denied call never asks. */
  readonly kind: "allow" | "deny" | "enable" | "disable" | "remember";
  /** The skill's name. */
  readonly skill: string;
  /** The absolute path of its folder. `disable` then disables this skill only, not every skill of the name. */
  readonly path?: string;
  /** For `remember`: the tool that the question was about; `skill_load` by default. */
  readonly tool?: string;
  /** Only removes opposing rules and adds none: for a skill that no longer exists. */
  readonly onlyRemove?: boolean;
}

/** Tools that read a skill's text: `allow` and `deny` remove opposing rules for these tools. */
const READING_TOOLS = ["skill_load", "Skill", "skill_read_file"];

/**
 * The edits of one configuration file for a change; none if nothing has to change. `switchOf` returns an entry of
 * `skills.disabled` in the form that the catalog compares.
 */
export function policyEdits(
  config: ConfigFile,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): ListEdit[] {
  const { kind, skill, path, onlyRemove = false } = change;
  if (kind === "enable" || kind === "disable") {
    const wanted = kind === "disable" && path !== undefined ? path : skill;
    if (kind === "disable") checkSwitch(wanted, path);
    const disabled = config.skills?.disabled ?? [];
    const places = placesOf(disabled, (entry) => means(switchOf(entry), skill, path));
    if (kind === "enable") return edit(["skills", "disabled"], places, undefined);
    return edit(["skills", "disabled"], [], places.length > 0 || onlyRemove ? undefined : wanted);
  }
  const fault = skillNameFault(skill);
  if (fault)
    throw new SkillError(
      "INVALID_PARAM",
      `No rule can name this skill: skill_name ${fault} Disable it by its path instead.`,
    );
  const { allow = [], deny = [] } = config.permissions ?? {};
  const { tool: about = "skill_load" } = change;
  const item = { tool: about, skill_name: skill };
  const covers = (rules: readonly PermissionRule[], is: typeof isSame): boolean =>
    rules.some(({ tool, skill_name: name }) => tool === about && (name === undefined || is(name, skill)));
  const named = (rules: readonly PermissionRule[], is: typeof isSame): number[] =>
    placesOf(
      rules,
      ({ tool, skill_name: name }) => READING_TOOLS.includes(tool) && name !== undefined && is(name, skill),
    );
  if (kind === "deny") {
    const isNeeded = !onlyRemove && !covers(deny, isSameIgnoringCase);
    return [
      ...edit(["permissions", "allow"], named(allow, isSame), undefined),
      ...edit(["permissions", "deny"], [], isNeeded ? item : undefined),
    ];
  }
  const isNeeded = !onlyRemove && !covers(allow, isSame);
  return [
    ...edit(["permissions", "deny"], kind === "allow" ? named(deny, isSameIgnoringCase) : [], undefined),
    ...edit(["permissions", "allow"], [], isNeeded ? item : undefined),
  ];
}

/** Whether an entry of `skills.disabled` means this skill: by its name, its folder or its `SKILL.md`. */
export function means(given: string, skill: string, path: string | undefined): boolean {
  if (!looksLikePath(given)) return isSame(given, skill);
  return path !== undefined && (given === path || given === `${path}/SKILL.md`);
}

function checkSwitch(entry: string, path: string | undefined): void {
  if (path === undefined && looksLikePath(entry)) {
    throw new SkillError(
      "INVALID_PARAM",
      `The name ${JSON.stringify(entry)} looks like a path; give the path of the skill instead.`,
    );
  }
}

function placesOf<T>(list: readonly T[], is: (entry: T) => boolean): number[] {
  return list.flatMap((entry, place) => (is(entry) ? [place] : []));
}

function edit(path: ListEdit["path"], remove: readonly number[], add: ListEdit["add"]): ListEdit[] {
  if (remove.length === 0 && add === undefined) return [];
  return [{ path, remove, ...(add === undefined ? {} : { add }) }];
}
