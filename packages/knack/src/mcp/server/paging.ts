import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** How many entries one answer has. */
export const PAGE_SIZE = 100;

export interface Page<T> {
  readonly items: readonly T[];
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
