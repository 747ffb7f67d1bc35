import type { Catalog, Entry } from "@knack/core";
import { changePolicy, configFiles, policyState } from "@knack/core/internal";
import { placeOf } from "../host/place.ts";

/** The outcome, as a message for the user. */
export interface Switched {
  readonly ok: boolean;
  readonly message: string;
}

/**
 * Switches a skill off or on in the user's configuration. By name, as `knack disable` does, unless several skills have that
 * name.
 */
export async function switchSkill(catalog: Catalog, { skill, status }: Entry): Promise<Switched> {
  const kind = status === "disabled" ? "enable" : "disable";
  const place = placeOf(catalog.projectRoot);
  const file = configFiles(place).user;
  const { name, dir } = skill;
  const isShared = catalog.entries.filter((entry) => entry.skill.name === name).length > 1;
  const isByPath = kind === "enable" || isShared || /[/\\]|^[.~]/.test(name);
  await changePolicy(
    file,
    { kind, skill: name, skills: [skill], ...(isByPath ? { path: dir } : {}) },
    { home: place.home },
  );

  const { isEnabled, switches } = await policyState(place, [skill]);
  if (isEnabled === (kind === "enable"))
    return { ok: true, message: `${name} is now ${isEnabled ? "enabled" : "disabled"} (${file}).` };
  const [other] = switches;
  const where = other ? ` by skills.disabled in ${other.file}` : "";
  const remedy = other?.isOfProject ? `; run "knack enable ${name} --project"` : "";
  return { ok: false, message: `${name} is still ${isEnabled ? "enabled" : "disabled"}${where}${remedy}.` };
}
