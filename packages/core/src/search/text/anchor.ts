/** A sentence that looks like a reference to other skills. The catalog decides whether those skills exist. */
export interface Anchor {
  /** Hashes of the names it may mean. */
  readonly names: readonly number[];
  readonly words: readonly number[];
}

/** The sentences of a skill that name others. */
export class Anchors {
  readonly found: Anchor[] = [];
  /** Names that no skill has. */
  readonly others = new Set<number>();
  readonly #names: ReadonlySet<number>;

  /** `names`: the names of all skills, as marks. */
  constructor(names: ReadonlySet<number>) {
    this.#names = names;
  }

  /** Takes a sentence with these names and with the words from a place on. */
  take(names: readonly number[], words: readonly number[], from: number): void {
    for (const name of names)
      if (this.#names.has(name)) {
        this.found.push({ names, words: words.slice(from) });
        return;
      }
    for (const name of names) this.others.add(name);
  }
}

/** A longer text is not a sentence about a skill. */
const MAX_SENTENCE = 600;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const BACKTICK = 0x60;
const ASTERISK = 0x2a;

/**
 * The names in a sentence as marks, without duplicates: a name with hyphens, or one word in backticks, asterisks or after a slash,
 * as in `release-notes`, **review**, /plan. By hand, because a pattern takes ten times as long.
 */
export function namesIn(units: Uint16Array, from: number, end: number): number[] {
  const names: number[] = [];
  if (end - from > MAX_SENTENCE) return names;
  for (let at = from; at < end; at++) {
    if (!isNameUnit(units[at] as number)) continue;
    const start = at;
    at = runEnd(units, at, end);
    const before = start > from ? (units[start - 1] as number) : 0;
    if (before === HYPHEN) continue;
    const runLength = at - start;
    let isName = false;
    while (at + 1 < end && units[at] === HYPHEN && isNameUnit(units[at + 1] as number)) {
      at = runEnd(units, at + 1, end);
      isName = true;
    }
    const after = at < end ? (units[at] as number) : 0;
    isName ||= runLength >= 3 && (isQuote(before) || before === SLASH) && isQuote(after);
    if (!isName) continue;
    const mark = markOf(units, start, at);
    if (!names.includes(mark)) names.push(mark);
  }
  return names;
}

function runEnd(units: Uint16Array, from: number, end: number): number {
  let at = from;
  while (at < end && isNameUnit(units[at] as number)) at++;
  return at;
}

export function isNameUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isQuote(unit: number): boolean {
  return unit === BACKTICK || unit === ASTERISK;
}

function markOf(units: Uint16Array, from: number, end: number): number {
  let mark = FIRST_MARK;
  for (let i = from; i < end; i++) mark = nextMark(mark, units[i] as number);
  return mark >>> 0;
}

/** Names are stored as numbers: nearly all of them are not skill names. */
export function nameMark(name: string): number {
  let mark = FIRST_MARK;
  for (let i = 0; i < name.length; i++) mark = nextMark(mark, name.charCodeAt(i));
  return mark >>> 0;
}

const FIRST_MARK = 0x811c9dc5;
const nextMark = (mark: number, unit: number): number => Math.imul(mark ^ unit, 0x01000193);
