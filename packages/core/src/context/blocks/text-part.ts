/** A piece of a text. Places and sizes are bytes of its UTF-8. */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
  /** Where the next part begins, or the size of the whole text. */
  readonly end: number;
  readonly size: number;
}

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The part of a text that begins at `offset` and has at most `maxBytes`: cut after the last line end in it, or between two
 * characters if there is none. An offset inside a character means that character; one beyond the end gives `undefined`.
 */
export function partOf(whole: string, offset: number, maxBytes: number): TextPart | undefined {
  const bytes = Buffer.from(whole);
  const size = bytes.length;
  if (offset > size || (offset === size && offset > 0)) return undefined;
  const start = characterStart(bytes, offset);
  const end = size - start <= maxBytes ? size : cut(bytes, start, start + maxBytes);
  return { text: bytes.toString("utf8", start, end), offset: start, end, size };
}

function cut(bytes: Buffer, start: number, limit: number): number {
  const lineEnd = bytes.lastIndexOf(LINE_END, limit - 1);
  if (lineEnd >= start) return lineEnd + 1;
  let end = characterStart(bytes, limit);
  if (bytes[end] === LINE_END && bytes[end - 1] === CARRIAGE_RETURN) end--;
  // A limit below the size of one character still moves on.
  return end > start ? end : nextCharacter(bytes, start);
}

function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && isContinuation(bytes[start])) start--;
  return start;
}

function nextCharacter(bytes: Buffer, at: number): number {
  let next = at + 1;
  while (isContinuation(bytes[next])) next++;
  return next;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
