import { hash } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** How many entries one answer has. */
export const PAGE_SIZE = 100;

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

const MARK = "after:";

/**
 * One page of a list that is sorted by its keys. A cursor says after which key to go on, not at which place: where the list
 * changed meanwhile nothing that stayed is left out or told twice.
 */
export function pageOf<T>(
  sorted: readonly T[],
  cursor: string | undefined,
  keyOf: (item: T) => string,
): Page<T> {
  const after = cursor === undefined ? undefined : decode(cursor);
  const found = after === undefined ? 0 : sorted.findIndex((item) => keyOf(item) > after);
  const start = found === -1 ? sorted.length : found;
  const items = sorted.slice(start, start + PAGE_SIZE);
  const last = items.at(-1);
  const isLast = start + PAGE_SIZE >= sorted.length || last === undefined;
  return isLast ? { items } : { items, nextCursor: encode(keyOf(last)) };
}

function encode(key: string): string {
  return Buffer.from(`${MARK}${key}`, "utf8").toString("base64url");
}

function decode(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  if (!text.startsWith(MARK) || encode(text.slice(MARK.length)) !== cursor)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor; start again without one.");
  return text.slice(MARK.length);
}

/**
 * A name of its own for each thing. Where several would get the same, those that are not called exactly so get a suffix made
 * from what `idOf` says of them: the same at every start, and nothing ever takes the place of another.
 */
export function uniqueNames<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  idOf: (thing: T) => string,
  collided: (name: string, things: readonly T[]) => void = () => {},
): Map<string, T> {
  const groups = Map.groupBy(things, nameOf);
  const named = new Map<string, T>();
  for (const [name, group] of groups) if (group.length === 1) named.set(name, group[0] as T);
  for (const [name, group] of groups) {
    if (group.length === 1) continue;
    collided(name, group);
    const exact = group.find((thing) => idOf(thing) === name);
    for (const thing of group) named.set(thing === exact ? name : suffixed(name, idOf(thing), named), thing);
  }
  return named;
}

export function suffixed(name: string, id: string, taken: ReadonlyMap<string, unknown>): string {
  const digest = hash("sha256", id);
  for (let length = 6; ; length++) {
    const candidate = `${name.slice(0, 64 - 1 - length)}_${digest.slice(0, length)}`;
    if (!taken.has(candidate)) return candidate;
  }
}
