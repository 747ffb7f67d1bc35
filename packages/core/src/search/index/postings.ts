import { ByteReader, ByteWriter, startsOf } from "../../shared/stored/byte-writer.ts";
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

/** `gap`: to the skill of the entry before, or the number of a word. */
export function writeEntry(writer: ByteWriter, gap: number, count: number): void {
  const inText = countInText(count);
  if (count !== inText * BODY_ONCE) {
    writer.varint(gap * 4 + OTHER);
    writer.byte(count & 0xff);
    writer.byte(count >>> 8);
  } else if (inText > 2) {
    writer.varint(gap * 4 + IN_TEXT);
    writer.byte(inText);
  } else writer.varint(gap * 4 + (inText === 1 ? ONCE : TWICE));
}

/** Reads one entry after the other, without an object for each. */
class EntryReader extends ByteReader {
  gap = 0;
  count = 0;

  next(): void {
    const value = this.varint();
    const kind = value & 3;
    this.gap = value >>> 2;
    if (kind < IN_TEXT) this.count = (kind + 1) * BODY_ONCE;
    else if (kind === IN_TEXT) this.count = (this.bytes[this.at++] as number) * BODY_ONCE;
    else {
      this.count = (this.bytes[this.at] as number) | ((this.bytes[this.at + 1] as number) << 8);
      this.at += 2;
    }
  }
}

/** Reads this many entries of a word. */
export function readEntries(bytes: Uint8Array, count: number): Entries {
  const skills = new Uint32Array(count);
  const counts = new Uint16Array(count);
  const reader = new EntryReader(bytes);
  let skill = -1;
  for (let i = 0; i < count; i++) {
    reader.next();
    skill += reader.gap + 1;
    skills[i] = skill;
    counts[i] = reader.count;
  }
  return { skills, counts };
}

/** What an index is made of: the entries of unchanged skills, the words of new ones, and the anchors of all. */
interface PostingSources {
  readonly wordCount: number;
  /** The entries of an earlier index by word, and where its skills are now; -1 for those that are gone or changed. */
  readonly earlier: { readonly entriesOf: (word: number) => Entries; readonly places: Int32Array } | null;
  readonly skillCount: number;
  /** By skill: how many words, then each as an entry; none for an unchanged skill. */
  readonly ownWords: Uint8Array;
  /** By skill: the words that others say about it. */
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
  const one = new ByteWriter();
  takeSkills(sources, (word, skill, count) => {
    one.length = 0;
    writeEntry(one, skill - (last[word] as number) - 1, count);
    last[word] = skill;
    byteLengths[word] = (byteLengths[word] as number) + one.length;
    having[word] = (having[word] as number) + 1;
  });
  const next = startsOf(byteLengths);
  const end = next[wordCount] as number;
  const all = new ByteWriter(end + 8);
  last.fill(-1);
  takeSkills(sources, (word, skill, count) => {
    all.length = next[word] as number;
    writeEntry(all, skill - (last[word] as number) - 1, count);
    last[word] = skill;
    next[word] = all.length;
  });
  all.length = end;
  return { bytes: all.written(), byteLengths, having };
}

/** Skill by skill, each word once. */
function takeSkills({ skillCount, ownWords, mentioned }: PostingSources, take: Take): void {
  const own = new EntryReader(ownWords);
  for (let skill = 0; skill < skillCount; skill++) {
    const anchors = countAnchors(mentioned.get(skill) ?? []);
    for (let left = own.varint(); left > 0; left--) {
      own.next();
      take(own.gap, skill, own.count + (anchors.get(own.gap) ?? 0));
      anchors.delete(own.gap);
    }
    for (const [word, count] of anchors) take(word, skill, count);
  }
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
