/** Lists in messages: long enough to help, never so long that they are all that a reader gets. */

const MAX_ITEMS = 20;
const MAX_LIST = 2_000;
const MAX_ITEM = 500;
/** A whole message, whatever it quotes; every list in it is shorter. */
const MAX_MESSAGE = 8_000;

interface Wording {
  readonly separator?: string;
  /** What to do for the rest: `"knack list" shows them all`. */
  readonly next?: string;
}

/** The first of these, and how many more there are. */
export function fewOf(items: readonly string[], { separator = ", ", next }: Wording = {}): string {
  const shown: string[] = [];
  let length = 0;
  for (const item of items) {
    const told = cut(item, MAX_ITEM);
    if (shown.length === MAX_ITEMS || (shown.length > 0 && length + told.length > MAX_LIST)) break;
    shown.push(told);
    length += told.length + separator.length;
  }
  const more = items.length - shown.length;
  if (more === 0) return shown.join(separator);
  const rest = `and ${String(more).replace(/\B(?=(?:\d{3})+$)/g, ",")} more`;
  // On lines of their own the rest is a line too, indented as they are.
  const gap = separator.includes("\n") ? `${separator}${/^\s*/.exec(shown[0] ?? "")?.[0] ?? ""}` : " ";
  return `${shown.join(separator)}${gap}${rest}${next === undefined ? "" : `; ${next}`}`;
}

/** A message that somebody else put together, at a length that a model and a terminal can take. */
export function boundedMessage(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${cut(message, MAX_MESSAGE)} (cut)`;
}

/** What a request could have meant, as an answer carries it: the first few, and how many there are if that is not all. */
export function fewCandidates(candidates: readonly string[]): {
  readonly candidates: readonly string[];
  readonly candidates_total?: number;
} {
  return candidates.length <= MAX_ITEMS
    ? { candidates }
    : { candidates: candidates.slice(0, MAX_ITEMS), candidates_total: candidates.length };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
