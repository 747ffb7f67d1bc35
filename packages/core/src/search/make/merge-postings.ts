import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import {
  type Entries,
  entryLength,
  OwnWords,
  type Postings,
  readEntries,
  writeEntry,
  writeEntryAt,
} from "../index/postings.ts";
import { ANCHORS, countIn, countOneMore } from "../text/field-counts.ts";

/** What an index is made of: the entries of unchanged skills, the words of new ones, and the anchors of all. */
export interface PostingSources {
  readonly wordCount: number;
  /** The entries of an earlier index by word, and where its skills are now; -1 for those that are gone or changed. */
  readonly earlier: { readonly entriesOf: (word: number) => Entries; readonly places: Int32Array } | null;
  /** New skills in order, and their words. */
  readonly added: readonly number[];
  readonly ownWords: readonly Uint8Array[];
  /** By skill, in order: the words that others say about it. */
  readonly said: ReadonlyMap<number, readonly (readonly number[])[]>;
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
function takeSkills({ added, ownWords, said }: PostingSources, take: Take): void {
  const rest = said.entries();
  let next = rest.next();
  const takeSaid = (before: number): void => {
    for (; !next.done && next.value[0] < before; next = rest.next())
      for (const [word, count] of countAnchors(next.value[1])) take(word, next.value[0], count);
  };
  const chunks = ownWords.values();
  let own = new OwnWords(new Uint8Array());
  for (const skill of added) {
    takeSaid(skill);
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
  takeSaid(Number.POSITIVE_INFINITY);
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
