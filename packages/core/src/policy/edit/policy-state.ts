import type { PermissionRule } from "../../config/config.ts";
import { type ConfigPlace, configFiles, loadConfig, readConfig } from "../../config/load.ts";
import { switchIn } from "../../config/stated-path.ts";
import { canonical } from "../../shared/paths.ts";
import { type Decision, decide, denies, type PermissionRequest } from "../permissions.ts";
import { means } from "./policy-change.ts";

/** What stands in a configuration file against a skill. */
export interface Obstacle {
  readonly file: string;
  readonly isOfProject: boolean;
  /** A rule, or an entry of `skills.disabled`, as the file has it. */
  readonly what: PermissionRule | string;
}

/** What holds for a skill now, whichever file says it. */
export interface PolicyState {
  /** For a model that wants to load it. */
  readonly decision: Decision["decision"];
  readonly isEnabled: boolean;
  /** `skills.enabled: false`: none can be used. */
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
    // A file that is wrong was told of when the configuration was loaded; it says nothing here.
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
