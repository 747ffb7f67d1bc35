import { shorten } from "../../shared/quote.ts";
import { escapePath } from "./escape.ts";
import { type AskedCall, nextCall } from "./next-call.ts";
import { partOf } from "./text-part.ts";

export interface FilePartWanted {
  readonly file: string;
  readonly offset: number;
  readonly limit?: number | undefined;
  /** What is said after the last part. */
  readonly rest: string;
  /** Of all that is given, the note included. */
  readonly maxBytes: number;
  readonly call: AskedCall;
}

export interface FilePart {
  /** The part as it is given, before the note. */
  readonly content: string;
  readonly text: string;
  readonly offset: number;
  /** Where the next part begins; absent in the last. */
  readonly next?: number;
}

/**
 * A part of a file's text, then a line that says which bytes it has and which call gets the next. The text has been escaped
 * as a whole, so that no cut can make a tag. `undefined` where the offset is beyond its end.
 */
export function partOfFile(escaped: string, wanted: FilePartWanted): FilePart | undefined {
  const { file, offset, limit = Number.POSITIVE_INFINITY, rest, maxBytes, call } = wanted;
  const size = Buffer.byteLength(escaped);
  const note = (from: number, end: number): string => {
    const more = end < size ? ` For the next part ${nextCall(call, end)}.` : ` This is the last part.${rest}`;
    return `\n--- Bytes ${from}-${end} of ${size} of ${escapePath(shorten(file))}.${more}`;
  };
  const frame = Math.max(Buffer.byteLength(note(size, size - 1)), Buffer.byteLength(note(size, size)));
  const part = partOf(escaped, offset, Math.min(limit, maxBytes - frame));
  if (!part) return undefined;
  const { text: content, end } = part;
  const text = content + note(part.offset, end);
  return { content, text, offset: part.offset, ...(end < size ? { next: end } : {}) };
}
