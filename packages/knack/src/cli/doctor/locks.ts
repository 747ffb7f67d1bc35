import { type Catalog, SkillError } from "@knack/core";
import { LockGate, lockPlaces, readLock } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

/** Skills against their locks; no check where there is neither a lock nor `skills.locked`. */
export async function lockChecks(
  catalog: Catalog,
  user: { readonly env: NodeJS.ProcessEnv; readonly home: string },
): Promise<Check[]> {
  const name = "lock";
  const { locked } = catalog.config.skills;
  const places = lockPlaces(catalog.projectRoot, user);
  let count = 0;
  try {
    for (const place of [places.project, places.user]) count += (await readLock(place))?.size ?? 0;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return [
      { name, ok: false, message: error.message, hint: 'Fix it, or write it again with "knack lock".' },
    ];
  }
  if (count === 0 && !locked) return [];
  const gate = new LockGate(places);
  const view = await gate.view();
  let differ = 0;
  let unlocked = 0;
  for (const { skill } of catalog.entries) {
    if (typeof view(skill) === "string") unlocked++;
    else if ((await gate.faultOf(skill)) !== undefined) differ++;
  }
  const message = `${pluralize(count, "skill")} locked, ${differ} changed since, ${unlocked} not locked; skills.locked is ${locked ? "on" : "off"}`;
  const waiting = differ + unlocked;
  if (!locked || waiting === 0) return [{ name, ok: true, message }];
  const hint = `${waiting === 1 ? "1 skill waits" : `${waiting} skills wait`} until you have looked: "knack verify --strict" names them, "knack diff" shows a change, "knack lock" accepts it.`;
  return [{ name, ok: false, message, hint }];
}
