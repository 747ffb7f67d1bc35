import { basename, dirname, join, resolve, sep } from "node:path";
import { fold } from "../shared/fold.ts";
import { nearest } from "../shared/nearest.ts";
import { canonical } from "../shared/paths.ts";
import { quote } from "../shared/quote.ts";
import { type Named, refersTo } from "../skill/name.ts";

/** Which calls a rule is about: those of a tool, of one skill where it names one. `policy/permissions.ts` has how. */
export interface PermissionRule {
  readonly tool: string;
  readonly skill_name?: string | undefined;
}

export interface RuledCall {
  readonly tool: string;
  /** The resolved skill, never the words of the request; absent where a tool is about no one skill. */
  readonly skill?: Named;
  /** It reads a skill's text, so `skill_load` rules apply too. */
  readonly readsSkill?: boolean;
}

export function describeRule(list: "allow" | "deny", { tool, skill_name: skill }: PermissionRule): string {
  const name = skill === undefined ? "" : `, skill_name: ${JSON.stringify(skill)}`;
  return `permissions.${list} { tool: ${tool}${name} }`;
}

/** A deny that is missed because of a capital is worse than one that catches too much, so names are folded. */
export function denies(rule: PermissionRule, request: RuledCall): boolean {
  const isTool =
    fold(rule.tool) === fold(request.tool) || (rule.tool === "skill_load" && request.readsSkill === true);
  return isTool && isAbout(rule, request, refersTo);
}

export function isAbout(
  { skill_name: entry }: PermissionRule,
  { skill }: RuledCall,
  is: typeof refersTo,
): boolean {
  return entry === undefined || (skill !== undefined && is(entry, skill));
}

/** Relative to the folder that holds `.knack/`; `~` is the home folder. */
export function pathIn(path: string, file: string, home: string): string {
  return resolve(dirname(dirname(file)), path.replace(/^~(?=$|[/\\])/, home));
}

/** As the catalog compares it: a name, or an absolute path. */
export function switchIn(entry: string, file: string, home: string): string {
  return looksLikePath(entry) ? skillPath(pathIn(entry, file, home)) : entry.normalize("NFC");
}

export function ruleIn(rule: PermissionRule, file: string, home: string): PermissionRule {
  const { skill_name: skill } = rule;
  return skill === undefined ? rule : { ...rule, skill_name: switchIn(skill, file, home) };
}

/** As the catalog writes paths: links resolved, except that of `SKILL.md` itself. */
function skillPath(path: string): string {
  return basename(path) === "SKILL.md" ? join(canonical(dirname(path)), "SKILL.md") : canonical(path);
}

/** A name has no separator and does not begin with a dot or a tilde. */
export function looksLikePath(entry: string): boolean {
  return /[/\\]/.test(entry) || /^[.~]/.test(entry);
}

/** Knack's own tools. */
export const KNACK_TOOLS = [
  ...["skill_search", "skill_load", "Skill", "skill_read_file", "skill_dispatch", "plan_status", "plan_run"],
];

/** Tools that read a skill's text: `knack allow` and `deny` remove opposing rules for these tools. */
export const READING_TOOLS = ["skill_load", "Skill", "skill_read_file"];

interface RuleFault {
  readonly key: "tool" | "skill_name";
  readonly message: string;
}

/** Rules that can never apply, or not as meant: a deny that silently does nothing is worse than an error. */
export function ruleFaults({ tool, skill_name: skill }: PermissionRule): RuleFault[] {
  const faults: RuleFault[] = [];
  const toolFault = textFault(tool) ?? nearlyKnackTool(tool);
  if (toolFault) faults.push({ key: "tool", message: toolFault });
  if (skill === undefined) return faults;
  const skillFault =
    tool === "skill_search" ? SEARCH_WITH_SKILL : (separatorFault(skill) ?? textFault(skill));
  if (skillFault) faults.push({ key: "skill_name", message: skillFault });
  return faults;
}

const SEARCH_WITH_SKILL = "cannot be used with skill_search, which is not about one skill; remove it.";

/** Why no rule can name this skill. */
export function skillNameFault(name: string): string | undefined {
  return looksLikePath(name) ? `must not look like a path, found ${quote(name)}.` : textFault(name);
}

function separatorFault(skill: string): string | undefined {
  if (sep === "\\" || !skill.includes("\\")) return undefined;
  return `has a backslash; use / between folders, found ${quote(skill)}.`;
}

function textFault(text: string): string | undefined {
  const found = `found ${quote(text)}.`;
  if (/\p{Cc}/u.test(text)) return `must not have control characters, ${found}`;
  if (text.trim() !== text) return `must not begin or end with a space, ${found}`;
  if (/[*?]/.test(text)) return `must be an exact name; patterns (*, ?) are not supported, ${found}`;
  return undefined;
}

function nearlyKnackTool(tool: string): string | undefined {
  if (KNACK_TOOLS.includes(tool)) return undefined;
  const plain = (name: string): string => fold(name).replaceAll(/[^a-z]/g, "");
  const spelled = KNACK_TOOLS.find((known) => plain(known) === plain(tool));
  // One slip only: "shell" is two letters from "Skill", "skill_read" from "skill_load", and both can be real tools.
  const guess = spelled ?? nearest(tool, KNACK_TOOLS, 1);
  if (guess === undefined || (guess !== spelled && !/^s/i.test(tool))) return undefined;
  return `is not a Knack tool, found ${quote(tool)}. Did you mean "${guess}"?`;
}
