import type { PermissionRule } from "../../config/config.ts";
import { skillNameFault } from "../../config/rule-faults.ts";
import type { ConfigFile } from "../../config/schema.ts";
import { looksLikePath } from "../../config/stated-path.ts";
import { SkillError } from "../../shared/errors.ts";
import { isExactly, type Named, refersTo } from "../../skill/refers-to.ts";
import type { ListEdit } from "./edit-lists.ts";

/** A change of policy that a user wants for a skill. */
export interface PolicyChange {
  /** `remember`: the answer "always allow"; it removes no deny rule, because a denied call never asks. */
  readonly kind: "allow" | "deny" | "enable" | "disable" | "remember";
  /** The skill's name. */
  readonly skill: string;
  /** The absolute path of its folder. `disable` then disables this skill only, not every skill of the name. */
  readonly path?: string;
  /** The skills that are meant, where they are known: entries that name one of them by its id or path are removed too. */
  readonly skills?: readonly Named[];
  /** Of `remember`: the tool that was asked about, where it does more than read the skill; `skill_load` by default. */
  readonly tool?: string;
  /** Only removes opposing rules and adds none: for a skill that no longer exists. */
  readonly onlyRemove?: boolean;
}

/** Tools that read a skill's text: `allow` and `deny` remove opposing rules for these tools. */
const READING_TOOLS = ["skill_load", "Skill", "skill_read_file"];

/**
 * The edits of one configuration file that make it so; none where it is so already. `switchOf` gives an entry of
 * `skills.disabled`, or the skill of a rule, as the catalog compares it.
 */
export function policyEdits(
  config: ConfigFile,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): ListEdit[] {
  const { kind, skill, path, onlyRemove = false } = change;
  const own: Named = { name: skill, ...(path === undefined ? {} : { dir: path, path: `${path}/SKILL.md` }) };
  const { skills: meant = [own] } = change;
  if (kind === "enable" || kind === "disable") {
    const wanted = kind === "disable" && path !== undefined ? path : skill;
    if (kind === "disable") checkSwitch(wanted, path);
    const disabled = config.skills?.disabled ?? [];
    if (kind === "enable") {
      const places = placesOf(disabled, (entry) =>
        [own, ...meant].some((one) => refersTo(switchOf(entry), one)),
      );
      return edit(["skills", "disabled"], places, undefined);
    }
    const isSo = disabled.some((entry) => refersTo(switchOf(entry), own));
    return edit(["skills", "disabled"], [], isSo || onlyRemove ? undefined : wanted);
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
  const covers = (rules: readonly PermissionRule[], is: typeof refersTo): boolean =>
    rules.some(
      ({ tool, skill_name: name }) => tool === about && (name === undefined || is(switchOf(name), own)),
    );
  const named = (rules: readonly PermissionRule[], is: typeof refersTo): number[] =>
    placesOf(
      rules,
      ({ tool, skill_name: name }) =>
        READING_TOOLS.includes(tool) && name !== undefined && meant.some((one) => is(switchOf(name), one)),
    );
  if (kind === "deny") {
    const isNeeded = !onlyRemove && !covers(deny, refersTo);
    return [
      ...edit(["permissions", "allow"], named(allow, isExactly), undefined),
      ...edit(["permissions", "deny"], [], isNeeded ? item : undefined),
    ];
  }
  const isNeeded = !onlyRemove && !covers(allow, isExactly);
  return [
    ...edit(["permissions", "deny"], kind === "allow" ? named(deny, refersTo) : [], undefined),
    ...edit(["permissions", "allow"], [], isNeeded ? item : undefined),
  ];
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
