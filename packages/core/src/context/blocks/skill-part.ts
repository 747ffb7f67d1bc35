import { escapeXml, oneLine } from "./escape.ts";
import { type AskedCall, nextCall } from "./next-call.ts";
import { partOf } from "./text-part.ts";

const CLOSE = "</skill_context>";

export interface PartWanted {
  readonly name: string;
  readonly offset: number;
  /** Of all that is given, the block's tags and the note included. */
  readonly maxBytes: number;
  readonly call: AskedCall;
}

export interface SkillPart {
  readonly text: string;
  /** Where the next part begins; absent in the last. */
  readonly next?: number;
}

/**
 * A `<skill_context>` block, or one part of it in a block of its own, with the call that gets the next. The parts without
 * their tags and notes, put together, are what is in the block. `undefined` where the offset is beyond its end.
 */
export function partOfBlock(
  block: string,
  { name, offset, maxBytes, call }: PartWanted,
): SkillPart | undefined {
  if (offset === 0 && Buffer.byteLength(block) <= maxBytes) return { text: block };
  // The first line is the opening tag: names and paths are on one line each.
  const inner = block.slice(block.indexOf("\n") + 1, -CLOSE.length);
  const size = Buffer.byteLength(inner);
  const opening = block.slice(0, block.indexOf(">"));
  // A path may be as long as a part; only the first names it.
  const first = Buffer.byteLength(opening) < maxBytes / 4 ? opening : undefined;
  const head = (offset === 0 ? first : undefined) ?? `<skill_context name="${escapeXml(oneLine(name))}"`;
  const render = (text: string, from: number, end: number): string =>
    `${head} bytes="${from}-${end} of ${size}">\n${text}\n${CLOSE}\n${end < size ? goesOn(end, call) : LAST}`;
  const frame = Math.max(
    Buffer.byteLength(render("", size, size - 1)),
    Buffer.byteLength(render("", size, size)),
  );
  const part = partOf(inner, offset, maxBytes - frame);
  if (!part) return undefined;
  const text = render(part.text, part.offset, part.end);
  return part.end < size ? { text, next: part.end } : { text };
}

const LAST = "This is the last part: the skill is loaded now.";

function goesOn(end: number, call: AskedCall): string {
  return `The skill is longer than one answer and not loaded yet. For the next part ${nextCall(call, end)}. Read every part before you follow the skill.`;
}
