import type { Entry } from "@knack/core";
import { HttpError } from "../server/http-error.ts";

/**
 * One page of a list, and the cursor of the next. A cursor is the position and id of the last skill, so the next page starts
 * after it even if skills were added or removed before it.
 */
export function pageOf(
  entries: readonly Entry[],
  limit: number,
  cursor: string | null,
): { readonly entries: readonly Entry[]; readonly next: string | null } {
  const start = cursor === null ? 0 : placeAfter(entries, cursor);
  const page = entries.slice(start, start + limit);
  const last = page.at(-1);
  const isMore = last !== undefined && start + limit < entries.length;
  return { entries: page, next: isMore ? `${start + page.length}.${last.skill.id}` : null };
}

function placeAfter(entries: readonly Entry[], cursor: string): number {
  const [, place, id] = /^(\d{1,9})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (id === undefined) throw new HttpError(400, "INVALID_PARAM", "Invalid cursor; start again without one.");
  if (entries[Number(place) - 1]?.skill.id === id) return Number(place);
  const found = entries.findIndex(({ skill }) => skill.id === id);
  if (found === -1)
    throw new HttpError(409, "CONFLICT", "The catalog has changed; start again without a cursor.");
  return found + 1;
}
