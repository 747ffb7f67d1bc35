import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import { ANCHORS, BODY, countIn, countInText, countOneMore } from "../text/skill-words.ts";

/** The skills that have a word, in order, and its occurrences by field, packed. */
export interface Entries {
  readonly skills: Uint32Array;
  readonly counts: Uint16Array;
}

/** The entries of all words, as they are stored. */
export interface Postings {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By word: how many bytes, and how many skills. */
  readonly byteLengths: Uint32Array;
  readonly having: Uint32Array;
}

/**
 * How counts are stored. Two in three words are in a body once or twice and nowhere else; those take no byte of their own, and
 * other counts in the body and the files beside it take one.
 */
const ONCE = 0;
const TWICE = 1;
const IN_TEXT = 2;
const OTHER = 3;
const BODY_ONCE = countOneMore(0, BODY);

/** The first number of an entry: the gap, and how its count is stored. */
function firstNumber(gap: number, count: number): number {
  const inText = countInText(count);
  if (count !== inText * BODY_ONCE) return gap * 4 + OTHER;
  return gap * 4 + (inText > 2 ? IN_TEXT : inText === 1 ? ONCE : TWICE);
}

export function writeEntry(writer: ByteWriter, gap: number, count: number): void {
  const first = firstNumber(gap, count);
  writer.varint(first);
  const kind = first & 3;
  if (kind === IN_TEXT) writer.byte(countInText(count));
  if (kind !== OTHER) return;
  writer.byte(count & 0xff);
  writer.byte(count >>> 8);
}

/** The same at a place. Answers where the entry ends. */
function writeEntryAt(bytes: Uint8Array, from: number, gap: number, count: number): number {
  let at = from;
  let rest = firstNumber(gap, count);
  const kind = rest & 3;
  for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  if (kind === IN_TEXT) bytes[at++] = countInText(count);
  if (kind !== OTHER) return at;
  bytes[at++] = count & 0xff;
  bytes[at++] = count >>> 8;
  return at;
}

function entryLength(gap: number, count: number): number {
  const first = firstNumber(gap, count);
  let length = 1 + bytesAfter(first);
  for (let rest = first >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

/** How many bytes an entry has after its first number. */
export function bytesAfter(value: number): number {
  const kind = value & 3;
  return kind < IN_TEXT ? 0 : kind - IN_TEXT + 1;
}

/** Reads this many entries; the opposite of `writeEntry`, with the gap between two skills. */
export function readEntries(bytes: Uint8Array, count: number): Entries {
  const skills = new Uint32Array(count);
  const counts = new Uint16Array(count);
  let at = 0;
  let skill = -1;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    skill += (value >>> 2) + 1;
    skills[i] = skill;
    const kind = value & 3;
    if (kind === ONCE) counts[i] = BODY_ONCE;
    else if (kind === TWICE) counts[i] = 2 * BODY_ONCE;
    else if (kind === IN_TEXT) counts[i] = (bytes[at++] as number) * BODY_ONCE;
    else {
      counts[i] = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      at += 2;
    }
  }
  return { skills, counts };
}

/** The skills' own words in the order of the skills: first how many, then each word with its count. */
class OwnWords {
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
  }

  get isEnd(): boolean {
    return this.#reader.at === this.#reader.bytes.length;
  }

  /** Calls back for each word of the next skill. */
  next(take: (word: number, count: number) => void): void {
    const reader = this.#reader;
    const { bytes } = reader;
    for (let left = reader.varint(); left > 0; left--) {
      const value = reader.varint();
      const kind = value & 3;
      let count = (kind + 1) * BODY_ONCE;
      if (kind === IN_TEXT) count = (bytes[reader.at++] as number) * BODY_ONCE;
      else if (kind === OTHER) {
        count = (bytes[reader.at] as number) | ((bytes[reader.at + 1] as number) << 8);
        reader.at += 2;
      }
      take(value >>> 2, count);
    }
  }
}

/** What an index is made of: the entries of unchanged skills, the words of new ones, and the anchors of all. */
interface PostingSources {
  readonly wordCount: number;
  /** The entries of an earlier index by word, and where its skills are now; -1 for those that are gone or changed. */
  readonly earlier: { readonly entriesOf: (word: number) => Entries; readonly places: Int32Array } | null;
  /** New skills in order, and their words. */
  readonly added: readonly number[];
  readonly ownWords: readonly Uint8Array[];
  /** By skill, in order: the words that others say about it. */
  readonly mentioned: ReadonlyMap<number, readonly (readonly number[])[]>;
}

export function mergePostings(sources: PostingSources): Postings {
  const fresh = sortByWord(sources);
  return sources.earlier ? withEarlier(sources.earlier, fresh) : fresh;
}

type Take = (word: number, skill: number, count: number) => void;

/**
 * The entries of the new skills, and the anchors of all. The skills are read twice, first for the size of each word's entries, so
 * that these can be written where they belong: at no time all entries are in memory in a larger form.
 */
function sortByWord(sources: PostingSources): Postings {
  const { wordCount } = sources;
  const byteLengths = new Uint32Array(wordCount);
  const having = new Uint32Array(wordCount);
  const last = new Int32Array(wordCount).fill(-1);
  takeSkills(sources, (word, skill, count) => {
    const gap = skill - (last[word] as number) - 1;
    last[word] = skill;
    byteLengths[word] = (byteLengths[word] as number) + entryLength(gap, count);
    having[word] = (having[word] as number) + 1;
  });
  const next = new Uint32Array(wordCount);
  let end = 0;
  for (let word = 0; word < wordCount; word++) {
    next[word] = end;
    end += byteLengths[word] as number;
  }
  const bytes = new Uint8Array(end);
  last.fill(-1);
  takeSkills(sources, (word, skill, count) => {
    const gap = skill - (last[word] as number) - 1;
    last[word] = skill;
    next[word] = writeEntryAt(bytes, next[word] as number, gap, count);
  });
  return { bytes, byteLengths, having };
}

/** Skill by skill, each word once. */
function takeSkills({ added, ownWords, mentioned }: PostingSources, take: Take): void {
  const rest = mentioned.entries();
  let next = rest.next();
  const takeMentioned = (before: number): void => {
    for (; !next.done && next.value[0] < before; next = rest.next())
      for (const [word, count] of countAnchors(next.value[1])) take(word, next.value[0], count);
  };
  const chunks = ownWords.values();
  let own = new OwnWords(new Uint8Array());
  for (const skill of added) {
    takeMentioned(skill);
    if (own.isEnd) own = new OwnWords(chunks.next().value ?? new Uint8Array());
    if (next.done || next.value[0] !== skill) {
      own.next((word, count) => take(word, skill, count));
      continue;
    }
    const anchors = countAnchors(next.value[1]);
    own.next((word, count) => {
      take(word, skill, count + (anchors.get(word) ?? 0));
      anchors.delete(word);
    });
    for (const [word, count] of anchors) take(word, skill, count);
    next = rest.next();
  }
  takeMentioned(Number.POSITIVE_INFINITY);
}

function countAnchors(sentences: readonly (readonly number[])[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const words of sentences)
    for (const word of words) counts.set(word, countOneMore(counts.get(word) ?? 0, ANCHORS));
  return counts;
}

/** Word by word, because at no time all entries should be in memory in a larger form. */
function withEarlier(
  { entriesOf, places }: NonNullable<PostingSources["earlier"]>,
  { bytes, byteLengths, having }: Postings,
): Postings {
  const writer = new ByteWriter(bytes.length + (1 << 20));
  const merged = { byteLengths: new Uint32Array(having.length), having: new Uint32Array(having.length) };
  let from = 0;
  for (let word = 0; word < having.length; word++) {
    const end = from + (byteLengths[word] as number);
    const fresh = readEntries(bytes.subarray(from, end), having[word] as number);
    from = end;
    const before = writer.length;
    merged.having[word] = writeMerged(writer, moveEntries(entriesOf(word), places), fresh);
    merged.byteLengths[word] = writer.length - before;
  }
  return { bytes: writer.written(), ...merged };
}

/** Anchors are counted anew, because they depend on which skills there are. */
function moveEntries({ skills, counts }: Entries, places: Int32Array): Entries {
  let kept = 0;
  for (let i = 0; i < skills.length; i++) {
    const place = places[skills[i] as number] as number;
    const count = withoutAnchors(counts[i] as number);
    if (place < 0 || count === 0) continue;
    skills[kept] = place;
    counts[kept++] = count;
  }
  return { skills: skills.subarray(0, kept), counts: counts.subarray(0, kept) };
}

const ONE_ANCHOR = countOneMore(0, ANCHORS);
const withoutAnchors = (count: number): number => count - countIn(count, ANCHORS) * ONE_ANCHOR;

/** A skill that is in both has only anchors in `fresh`. Answers how many entries there are. */
function writeMerged(writer: ByteWriter, old: Entries, fresh: Entries): number {
  let [atOld, atFresh, written, before] = [0, 0, 0, -1];
  for (;;) {
    const inOld = old.skills[atOld] ?? Number.POSITIVE_INFINITY;
    const inFresh = fresh.skills[atFresh] ?? Number.POSITIVE_INFINITY;
    const skill = Math.min(inOld, inFresh);
    if (skill === Number.POSITIVE_INFINITY) return written;
    let count = 0;
    if (inOld === skill) count += old.counts[atOld++] as number;
    if (inFresh === skill) count += fresh.counts[atFresh++] as number;
    writeEntry(writer, skill - before - 1, count);
    before = skill;
    written++;
  }
}
