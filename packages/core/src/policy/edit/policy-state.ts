import type { PermissionRule } from "../../config/config.ts";
import { type ConfigPlace, configFiles, loadConfig, readConfig } from "../../config/load.ts";
import { canonical } from "../../config/project-root.ts";
import { switchIn } from "../../config/stated-path.ts";
import { type Decision, decide, denies, type PermissionRequest } from "../permissions.ts";
import { means } from "./policy-change.ts";

/** A rule or entry of a configuration file that blocks a skill. */
export interface Obstacle {
  readonly file: string;
  readonly isOfProject: boolean;
  /** The rule, or the entry of `skills.disabled`, as written in the file. */
  readonly what: PermissionRule | string;
}

/** The policy for a skill now, from all configuration files. */
export interface PolicyState {
  /** For a model that wants to load it. */
  readonly decision: Decision["decision"];
  readonly isEnabled: boolean;
  /** `skills.enabled: false`: no skill can be used. */
  readonly isEverythingOff: boolean;
  readonly denials: readonly Obstacle[];
  readonly switches: readonly Obstacle[];
}

/** `dirs` are the folders of the skills that are meant; they share the name. */
export async function policyState(
  place: ConfigPlace,
  skill: string,
  dirs: readonly string[],
): Promise<PolicyState> {
  const { config } = await loadConfig(place);
  const request: PermissionRequest = { tool: "skill_load", skill, actor: "model", readsSkill: true };
  const denials: Obstacle[] = [];
  const switches: Obstacle[] = [];
  const { user, project } = configFiles(place);
  const files = canonical(user) === canonical(project) ? [user] : [user, project];
  const isOff = (entry: string): boolean =>
    means(entry, skill, undefined) || dirs.some((dir) => means(entry, skill, dir));
  for (const file of files) {
    // An invalid file was reported when the configuration was loaded; it is skipped here.
    const { permissions, skills } = (await readConfig(file, () => {})) ?? {};
    const isOfProject = file !== user;
    for (const rule of permissions?.deny ?? [])
      if (denies(rule, request)) denials.push({ file, isOfProject, what: rule });
    for (const entry of skills?.disabled ?? [])
      if (isOff(switchIn(entry, file, place.home))) switches.push({ file, isOfProject, what: entry });
  }
  return {
    decision: decide(config.permissions, request).decision,
    isEnabled: !config.skills.disabled.some(isOff),
    isEverythingOff: !config.skills.enabled,
    denials,
    switches,
  };
}
