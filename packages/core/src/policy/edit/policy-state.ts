import type { PermissionRule } from "../../config/config.ts";
import { type ConfigPlace, configFiles, loadConfig, readConfig } from "../../config/load.ts";
import { ruleIn, switchIn } from "../../config/stated-path.ts";
import { canonical } from "../../shared/paths.ts";
import { type Named, refersTo } from "../../skill/refers-to.ts";
import { type Decision, decide, denies, type PermissionRequest } from "../permissions.ts";

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

/** `skills` are those that are meant; they share the name. What holds for one of them is an obstacle for all. */
export async function policyState(place: ConfigPlace, skills: readonly Named[]): Promise<PolicyState> {
  const { config } = await loadConfig(place);
  const requests = skills.map(
    (skill): PermissionRequest => ({ tool: "skill_load", skill, actor: "model", readsSkill: true }),
  );
  const denials: Obstacle[] = [];
  const switches: Obstacle[] = [];
  const { user, project } = configFiles(place);
  const files = canonical(user) === canonical(project) ? [user] : [user, project];
  const isOff = (entry: string): boolean => skills.some((skill) => refersTo(entry, skill));
  for (const file of files) {
    // An invalid file was reported when the configuration was loaded; it has no effect here.
    const stated = (await readConfig(file, () => {})) ?? {};
    const isOfProject = file !== user;
    for (const rule of stated.permissions?.deny ?? [])
      if (requests.some((request) => denies(ruleIn(rule, file, place.home), request)))
        denials.push({ file, isOfProject, what: rule });
    for (const entry of stated.skills?.disabled ?? [])
      if (isOff(switchIn(entry, file, place.home))) switches.push({ file, isOfProject, what: entry });
  }
  return {
    decision: strictest(requests.map((request) => decide(config.permissions, request).decision)),
    isEnabled: !config.skills.disabled.some(isOff),
    isEverythingOff: !config.skills.enabled,
    denials,
    switches,
  };
}

function strictest(decisions: readonly Decision["decision"][]): Decision["decision"] {
  return (["deny", "confirm"] as const).find((one) => decisions.includes(one)) ?? "allow";
}
