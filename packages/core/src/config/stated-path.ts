import { basename, dirname, join, resolve } from "node:path";
import { canonical } from "../shared/paths.ts";
import type { PermissionRule } from "./config.ts";

/** A path that a configuration file states: relative to the folder that holds `.knack/`, `~` being the home folder. */
export function pathIn(path: string, file: string, home: string): string {
  return resolve(dirname(dirname(file)), path.replace(/^~(?=$|[/\\])/, home));
}

/** An entry of `skills.disabled` as the catalog compares it: a skill's name, or an absolute path. */
export function switchIn(entry: string, file: string, home: string): string {
  return looksLikePath(entry) ? skillPath(pathIn(entry, file, home)) : entry.normalize("NFC");
}

/** A rule as it is compared: a path that it names is absolute. */
export function ruleIn(rule: PermissionRule, file: string, home: string): PermissionRule {
  const { skill_name: skill } = rule;
  return skill === undefined ? rule : { ...rule, skill_name: switchIn(skill, file, home) };
}

/** As the catalog writes it: links of the folder resolved, a linked `SKILL.md` where it is. */
function skillPath(path: string): string {
  return basename(path) === "SKILL.md" ? join(canonical(dirname(path)), "SKILL.md") : canonical(path);
}

/** A name has no separator and does not begin with a dot or a tilde. */
export function looksLikePath(entry: string): boolean {
  return /[/\\]/.test(entry) || /^[.~]/.test(entry);
}
