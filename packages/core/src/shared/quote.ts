/** What is quoted of a text that somebody gave: a name of a megabyte must not become an answer of a megabyte. */
const MAX_QUOTED = 200;
/** What steers a terminal or hides text; JSON escapes the rest itself. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** In quotation marks, on one line, cut where it is long. */
export function quote(given: unknown): string {
  const text = typeof given === "string" ? given : String(JSON.stringify(given) ?? given);
  const whole = quoteUpTo(text, MAX_QUOTED);
  // Written out, each character that is not shown takes six places.
  return whole.length > 2 * MAX_QUOTED ? quoteUpTo(text, MAX_QUOTED / 6) : whole;
}

function quoteUpTo(text: string, most: number): string {
  return JSON.stringify(cut(text, most)).replaceAll(UNSEEN, escaped);
}

/** Without quotation marks. The end of a path says most, so the middle gives way. */
export function shorten(given: string): string {
  const half = MAX_QUOTED / 2 - 1;
  const short =
    given.length > MAX_QUOTED ? `${given.slice(0, half)}…${given.slice(-half)}`.toWellFormed() : given;
  return short.replaceAll(/[\u0000-\u001f]/g, escaped).replaceAll(UNSEEN, escaped);
}

export function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

const MAX_ITEMS = 20;
const MAX_LIST = 2_000;
const MAX_ITEM = 500;
/** Of a whole message. */
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
  const rest = `and ${thousands(more)} more`;
  // On lines of their own the rest is a line too, indented as they are.
  const gap = separator.includes("\n") ? `${separator}${/^\s*/.exec(shown[0] ?? "")?.[0] ?? ""}` : " ";
  return `${shown.join(separator)}${gap}${rest}${next === undefined ? "" : `; ${next}`}`;
}

export function boundedMessage(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${cut(message, MAX_MESSAGE)} (cut)`;
}

/** The first few, and how many there are if that is not all. */
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

/** For Mermaid: everything but letters, digits and plain marks could be syntax, end a line or steer a terminal. */
export function mermaidText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N} ._/-]/gu, (character) => `#${character.codePointAt(0)};`);
}

/** For Graphviz, in quotation marks. It reads entities, so `&` is written as one. */
export function dotText(text: string | readonly string[]): string {
  const lines = [text]
    .flat()
    .map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?").replaceAll(/["\\]/g, "\\$&"));
  return `"${lines.join("\\n").replaceAll("&", "&amp;")}"`;
}

/** 12345 → "12,345", the same in every locale; by hand, because the first use of the locale's own formatting costs 15 ms. */
export function thousands(n: number): string {
  return String(n).replaceAll(/(?<!\.\d*)\B(?=(?:\d{3})+$)/g, ",");
}

/** "1 skill", "2 skills". */
export function pluralize(n: number, word: string): string {
  return `${thousands(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** `undefined` where a % is not followed by what it must be. */
export function decodeUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
