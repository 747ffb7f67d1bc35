import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import { type Entries, OwnWords, type Postings, writeEntry } from "../index/postings.ts";
import { ANCHORS, countIn, countOneMore } from "../text/field-counts.ts";

/** What an index is made of: the entries of unchanged skills, the words of new ones, and the anchors of all. */
export interface PostingSources {
  readonly wordCount: number;
  /** The entries of an earlier index by word, and where its skills are now; -1 for those that are gone or changed. */
  readonly earlier: { readonly entriesOf: (word: number) => Entries; readonly places: Int32Array } | null;
  /** New skills in order, and their words. */
  readonly added: readonly number[];
  readonly ownWords: Uint8Array;
  /** By skill: the words that others say about it. */
  readonly said: ReadonlyMap<number, readonly (readonly number[])[]>;
}

/** Word by word, because at no time all entries should be in memory in a larger form. */
export function mergePostings(sources: PostingSources): Postings {
  const { wordCount, earlier } = sources;
  const own = invert(wordCount, (take) => {
    const reader = new OwnWords(sources.ownWords);
    for (const skill of sources.added) reader.next((word, count) => take(word, skill, count));
  });
  const said = invert(wordCount, (take) => takeAnchors(sources.said, take));
  const writer = new ByteWriter(1 << 20);
  const byteLengths = new Uint32Array(wordCount);
  const having = new Uint32Array(wordCount);
  const none: Entries = { skills: new Uint32Array(), counts: new Uint16Array() };
  for (let word = 0; word < wordCount; word++) {
    const before = writer.length;
    const old = earlier ? moveEntries(earlier.entriesOf(word), earlier.places) : none;
    having[word] = writeMerged(writer, old, entriesAt(own, word), entriesAt(said, word));
    byteLengths[word] = writer.length - before;
  }
  return { bytes: writer.written(), byteLengths, having };
}

interface Inverted extends Entries {
  readonly starts: Uint32Array;
}

/** Sorts by word; the source gives the same entries twice, by skill. */
function invert(
  wordCount: number,
  source: (take: (word: number, skill: number, count: number) => void) => void,
): Inverted {
  const starts = new Uint32Array(wordCount + 1);
  source((word) => {
    starts[word + 1] = (starts[word + 1] as number) + 1;
  });
  for (let word = 0; word < wordCount; word++)
    starts[word + 1] = (starts[word + 1] as number) + (starts[word] as number);
  const next = starts.slice();
  const skills = new Uint32Array(starts[wordCount] as number);
  const counts = new Uint16Array(skills.length);
  source((word, skill, count) => {
    const at = next[word] as number;
    next[word] = at + 1;
    skills[at] = skill;
    counts[at] = count;
  });
  return { starts, skills, counts };
}

function entriesAt({ starts, skills, counts }: Inverted, word: number): Entries {
  const from = starts[word] as number;
  const end = starts[word + 1] as number;
  return { skills: skills.subarray(from, end), counts: counts.subarray(from, end) };
}

function takeAnchors(
  said: ReadonlyMap<number, readonly (readonly number[])[]>,
  take: (word: number, skill: number, count: number) => void,
): void {
  const counts = new Map<number, number>();
  for (const [skill, sentences] of said) {
    counts.clear();
    for (const words of sentences)
      for (const word of words) counts.set(word, countOneMore(counts.get(word) ?? 0, ANCHORS));
    for (const [word, count] of counts) take(word, skill, count);
  }
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

/** No skill is in both `old` and `own`. Answers how many entries there are. */
function writeMerged(writer: ByteWriter, old: Entries, own: Entries, said: Entries): number {
  let [atOld, atOwn, atSaid, written, before] = [0, 0, 0, 0, -1];
  for (;;) {
    const inOld = old.skills[atOld] ?? Number.POSITIVE_INFINITY;
    const inOwn = own.skills[atOwn] ?? Number.POSITIVE_INFINITY;
    const inSaid = said.skills[atSaid] ?? Number.POSITIVE_INFINITY;
    const skill = Math.min(inOld, inOwn, inSaid);
    if (skill === Number.POSITIVE_INFINITY) return written;
    let count = 0;
    if (inOld === skill) count += old.counts[atOld++] as number;
    if (inOwn === skill) count += own.counts[atOwn++] as number;
    if (inSaid === skill) count += said.counts[atSaid++] as number;
    writeEntry(writer, skill - before - 1, count);
    before = skill;
    written++;
  }
}
