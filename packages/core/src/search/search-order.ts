import type { SkillMetadata, SkillScope } from "../skill/schema.ts";

const SCOPES: readonly SkillScope[] = ["repo", "user", "bundled"];

/** The order of skills that fit a query equally well: by scope, then by path. */
export function inSearchOrder(one: SkillMetadata, other: SkillMetadata): number {
  if (one.scope !== other.scope) return SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope);
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
