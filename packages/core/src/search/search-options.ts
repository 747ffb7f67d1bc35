import { SkillError } from "../shared/errors.ts";
import type { SkillMetadata, SkillScope } from "../skill/schema.ts";
import type { SearchLimits } from "./search.ts";

export interface SearchOptions {
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
  /** The same request in other words or another language, at most four; a poor one does little harm. */
  readonly also?: readonly string[] | undefined;
  /** Only these skills; the others are as if they were not there. */
  readonly accepts?: ((skill: SkillMetadata) => boolean) | undefined;
}

/** For a search that may ask an embeddings endpoint. */
export interface AsyncSearchOptions extends SearchOptions {
  /** How long to wait while vectors of new skills are made: 5,000 ms by default. They are made in the background after that. */
  readonly waitMs?: number | undefined;
  /** Stops the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called while vectors are made. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What a caller asked for, checked, within what the configuration allows. */
export function searchLimits(
  { limit: asked, scope, accepts }: SearchOptions,
  { defaultLimit, maxLimit }: { readonly defaultLimit: number; readonly maxLimit: number },
): SearchLimits {
  const limit = asked ?? defaultLimit;
  checkLimit(limit);
  const isAsked =
    scope || accepts
      ? (skill: SkillMetadata) => (!scope || skill.scope === scope) && (accepts?.(skill) ?? true)
      : undefined;
  return { limit: Math.min(limit, maxLimit), accepts: isAsked };
}

export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1)
    throw new SkillError("INVALID_PARAM", "The limit must be a whole number of at least 1.");
}
