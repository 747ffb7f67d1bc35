const NAME = /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/;
const MAX_NAME = 64;

/** Names of skills, and of the roles of their inputs. */
export function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name);
}

/** The tools whose names typed skills cannot take. */
const RESERVED = new Set(["skill_search", "skill_load", "skill_read_file", "skill_dispatch"]);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}
