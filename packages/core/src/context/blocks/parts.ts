import { escaped, shorten } from "../../shared/quote.ts";
import { escapePath, escapeWrapperTags, escapeXml, oneLine } from "./escape.ts";

/** The call that is repeated for the next part. */
export interface AskedCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Longer parameters are not repeated in each part. */
const MAX_PARAMS = 400;

function nextCall({ tool, params }: AskedCall, offset: number): string {
  const { force: _, ...same } = params;
  const json = jsonForModel({ ...same, offset });
  return Buffer.byteLength(json) <= MAX_PARAMS
    ? `call ${tool} with ${json}`
    : `call ${tool} with the same parameters and "offset": ${offset}`;
}

/** JSON that cannot be read as a tag. */
function jsonForModel(value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escaped);
  return escapeWrapperTags(json) === json ? json : json.replace(/[^ -~]/gu, escaped);
}

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cut after the last line end that fits, else between two characters. Places are bytes of the UTF-8 text; `undefined` for an
 * offset beyond the end.
 */
export function partOf(whole: string, offset: number, maxBytes: number) {
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
  // A limit below one character still moves on.
  return end > start ? end : nextCharacter(bytes, start);
}

/** The start of the character at this byte; in other bytes at most three before. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && start > at - 3 && isContinuation(bytes[start])) start--;
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

/** A part with what `render` puts around it, within `maxBytes`. */
function fitPart(
  whole: string,
  { offset, limit = Number.POSITIVE_INFINITY, maxBytes }: Pick<PartWanted, "offset" | "limit" | "maxBytes">,
  render: (text: string, from: number, end: number) => string,
): FilePart | undefined {
  const size = Buffer.byteLength(whole);
  const frames = [render("", size, size - 1), render("", size, size)].map((text) => Buffer.byteLength(text));
  const part = partOf(whole, offset, Math.min(limit, maxBytes - Math.max(...frames)));
  if (!part) return undefined;
  const text = render(part.text, part.offset, part.end);
  return { content: part.text, text, offset: part.offset, next: part.end < size ? part.end : undefined };
}

interface PartWanted {
  readonly offset: number;
  readonly limit?: number | undefined;
  /** With what is around the part. */
  readonly maxBytes: number;
  readonly call: AskedCall;
}

export interface SkillPart {
  readonly text: string;
  /** Where the next part begins; absent in the last. */
  readonly next?: number | undefined;
}

export interface FilePart extends SkillPart {
  readonly content: string;
  /** Where the part begins; absent where it is the whole file. */
  readonly offset?: number;
}

const CLOSE = "</skill_context>";

/** The block, or one part of it with the call for the next. The parts together are its text. `undefined` beyond its end. */
export function partOfBlock(
  block: string,
  { name, ...wanted }: PartWanted & { readonly name: string },
): SkillPart | undefined {
  const { offset, maxBytes, call } = wanted;
  if (offset === 0 && Buffer.byteLength(block) <= maxBytes) return { text: block };
  // The first line is the opening tag: names and paths are on one line each.
  const inner = block.slice(block.indexOf("\n") + 1, -CLOSE.length);
  const size = Buffer.byteLength(inner);
  const opening = block.slice(0, block.indexOf(">"));
  // Only the first part names the path, which may be very long.
  const first = Buffer.byteLength(opening) < maxBytes / 4 ? opening : undefined;
  const head = (offset === 0 ? first : undefined) ?? `<skill_context name="${escapeXml(oneLine(name))}"`;
  return fitPart(
    inner,
    wanted,
    (text, from, end) =>
      `${head} bytes="${from}-${end} of ${size}">\n${text}\n${CLOSE}\n${end < size ? goesOn(end, call) : LAST}`,
  );
}

const LAST = "This is the last part: the skill is loaded now.";

function goesOn(end: number, call: AskedCall): string {
  return `The skill is longer than one answer and not loaded yet. For the next part ${nextCall(call, end)}. Read every part before you follow the skill.`;
}

/** A part of a file, then its bytes and the call for the next. Escaped as a whole, so that no cut makes a tag. */
export function partOfFile(
  escapedText: string,
  { file, rest, ...wanted }: PartWanted & { readonly file: string; readonly rest: string },
): FilePart | undefined {
  const size = Buffer.byteLength(escapedText);
  return fitPart(escapedText, wanted, (text, from, end) => {
    const more =
      end < size ? ` For the next part ${nextCall(wanted.call, end)}.` : ` This is the last part.${rest}`;
    return `${text}\n--- Bytes ${from}-${end} of ${size} of ${escapePath(shorten(file))}.${more}`;
  });
}
