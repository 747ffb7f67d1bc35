/** Fits many descriptions into a small budget: all are cut at one common length, so that short ones stay whole. */

/** A shorter description says nothing; then all of them are omitted. */
export const SHORTEST_DESCRIPTION = 20;

const ELLIPSIS = "…";

/**
 * What a text costs of a budget: at least its length. A longer piece of one text never costs less, and an ellipsis costs
 * at most three.
 */
export type Cost = (text: string) => number;

/** At most `length` characters of a text; the whole text where cutting would not make it cheaper. */
export function shorten(text: string, length: number, cost: Cost): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, lastBoundary(text, length - ELLIPSIS.length)).trimEnd();
  const shorter = kept + ELLIPSIS;
  // In UTF-8 an ellipsis takes three bytes: instead of two letters it would save nothing.
  const savesLittle = text.length - kept.length <= 3;
  return savesLittle && cost(shorter) >= cost(text) ? text : shorter;
}

/** Whether all texts, each at most `length` long, fit into the budget. */
export function fits(texts: readonly string[], length: number, room: number, cost: Cost): boolean {
  let used = 0;
  for (const text of texts) {
    used += cost(shorten(text, length, cost));
    if (used > room) break;
  }
  return used <= room;
}

/**
 * The largest common length at which all texts fit into the budget, or `undefined` if it would be too short to be useful.
 * A binary search finds it, because no text costs less at a larger length.
 */
export function commonLength(texts: readonly string[], room: number, cost: Cost): number | undefined {
  if (!fits(texts, SHORTEST_DESCRIPTION, room, cost)) return undefined;
  let fitting = SHORTEST_DESCRIPTION;
  let over = texts.reduce((longest, text) => Math.max(longest, text.length), fitting) + 1;
  while (over - fitting > 1) {
    const middle = (fitting + over) >> 1;
    if (fits(texts, middle, room, cost)) fitting = middle;
    else over = middle;
  }
  return fitting;
}

/** What belongs to the character before it: marks, joiners, skin tones, tags of flags, variation selectors. */
const CONTINUES = /^[\p{M}\p{Emoji_Modifier}\u200c\u200d\u{e0020}-\u{e007f}]/u;
/** Flags of countries are two of these. */
const FLAG_LETTER = /^\p{Regional_Indicator}/u;
const FLAG_LETTERS_LAST = /\p{Regional_Indicator}*$/u;
const JOINER = "\u200d";
/** No real character is longer; without a bound, each length tried would walk a whole page of marks. */
const LONGEST_CHARACTER = 32;

/** The last place up to `limit` where a text can be cut without splitting what is seen as one character. */
function lastBoundary(text: string, limit: number): number {
  for (let at = limit; at > limit - LONGEST_CHARACTER && at > 0; at--) if (isBoundary(text, at)) return at;
  if (limit <= LONGEST_CHARACTER) return 0;
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

function isBoundary(text: string, at: number): boolean {
  if (isLowSurrogate(text, at) || text[at - 1] === JOINER) return false;
  const next = text.slice(at, at + 2);
  if (FLAG_LETTER.test(next)) return lettersBefore(text, at) % 2 === 0;
  return !CONTINUES.test(next);
}

function lettersBefore(text: string, at: number): number {
  const run = FLAG_LETTERS_LAST.exec(text.slice(Math.max(0, at - LONGEST_CHARACTER), at))?.[0] ?? "";
  return run.length / 2;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
