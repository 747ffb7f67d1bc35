import { ByteWriter, startsOf } from "../../shared/stored/byte-writer.ts";
import type { PartBytes } from "../../shared/stored/parts-file.ts";
import { ANCHORS, FIELD_COUNT, SkillReader } from "../text/skill-words.ts";
import { Neighbours, readMentions, resolveMentions, type SkillMentions } from "./anchors.ts";
import { type Entries, mergePostings, writeEntry } from "./postings.ts";
import { type ReadSkill, readSkillsToIndex, type SkillToIndex } from "./read-skills.ts";
import { writeSequence } from "./sequences.ts";
import {
  besideReader,
  decodeNumbers,
  encodeIndex,
  entryReader,
  type IndexParts,
  openDictionary,
  wholeOf,
} from "./text-index.ts";

/** Bytes of a key. */
export const KEY = 16;

/** An index of which unchanged skills can be taken over. */
interface EarlierIndex {
  /** The number of its skills. */
  readonly count: number;
  /** Key of a skill → its number. */
  readonly keys: ReadonlyMap<string, number>;
  readonly words: () => Iterable<string>;
  readonly entriesOf: (word: number) => Entries;
  readonly lengths: Uint32Array;
  readonly sequences: Uint8Array;
  readonly sequenceStarts: Uint32Array;
  readonly mentions: readonly SkillMentions[];
  readonly besideOf: (skill: number) => string;
}

/** `null` if it is damaged, or most of it is about skills that are gone: the dictionary keeps their words. */
function readEarlier(parts: IndexParts, skillCount: number): EarlierIndex | null {
  const keyBytes = Buffer.from(wholeOf(parts.keys));
  const mentions = wholeOf(parts.anchors);
  const having = decodeNumbers(parts.having);
  const count = keyBytes.length / KEY;
  const unused = having.reduce((sum, skills) => (skills === 0 ? sum + 1 : sum), 0);
  if (parts.isDamaged() || count > 2 * skillCount + 100 || 2 * unused > having.length) return null;
  const keys = new Map<string, number>();
  for (let skill = 0; skill < count; skill++)
    keys.set(keyBytes.toString("hex", skill * KEY, (skill + 1) * KEY), skill);
  return {
    count,
    keys,
    words: () => openDictionary(parts).all(),
    entriesOf: entryReader(parts, having),
    lengths: decodeNumbers(parts.lengths),
    sequences: wholeOf(parts.sequences),
    sequenceStarts: startsOf(decodeNumbers(parts.sequenceLengths)),
    besideOf: besideReader(parts),
    mentions: readMentions(mentions, count),
  };
}

export type { SkillToIndex };

interface MakeOptions {
  /** Whether other files are beside a skill, by its place, than in this state. */
  readonly isBesideChanged?: ((place: number, state: string) => boolean) | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * The index of these skills, in search order, as the parts of a file. What an earlier index has of unchanged skills is taken
 * from there; the others are read. `onProgress` is called with how many skills it has so far.
 */
export function makeIndex(
  skills: readonly SkillToIndex[],
  digest: Uint8Array,
  earlierParts: IndexParts | null,
  { isBesideChanged = () => false, onProgress }: MakeOptions = {},
): PartBytes[] {
  const neighbours = new Neighbours(skills);
  const earlier = earlierParts && readEarlier(earlierParts, skills.length);
  const origins = earlier
    ? findUnchanged(skills, earlier, neighbours, isBesideChanged)
    : skills.map(() => -1);
  const { words, columns } = collect(skills, origins, earlier, neighbours.marks, onProgress);
  const { mentions, lengths, sequenceLengths, besides } = columns;
  const { mentioned, stored } = resolveMentions(mentions, neighbours);
  for (const [skill, sentences] of mentioned)
    lengths[skill * FIELD_COUNT + ANCHORS] = sentences.reduce((sum, one) => sum + one.length, 0);
  const postings = mergePostings({
    wordCount: words.size,
    earlier: earlier && { entriesOf: earlier.entriesOf, places: placesOf(origins, earlier.count) },
    skillCount: skills.length,
    ownWords: columns.ownWords.written(),
    mentioned,
  });
  const keys = Buffer.from(skills.map(({ key }) => key).join(""), "hex");
  const sequences = columns.sequences.written();
  return encodeIndex({
    ...{ digest, keys, words, postings, lengths, sequenceLengths, sequences, besides },
    anchors: stored,
  });
}

/** Takes the unchanged skills from the earlier index, and reads the others. */
function collect(
  skills: readonly SkillToIndex[],
  origins: readonly number[],
  earlier: EarlierIndex | null,
  names: ReadonlySet<number>,
  onProgress: ((done: number) => void) | undefined,
): { words: ReadonlyMap<string, number>; columns: SkillColumns } {
  const reader = new SkillReader(names, earlier?.words());
  const columns = new SkillColumns(skills.length, earlier?.sequences.length);
  const takeUnchanged = (): void => {
    for (let origin = origins[columns.count]; earlier && origin !== undefined && origin >= 0; ) {
      columns.addUnchanged(earlier, origin);
      origin = origins[columns.count];
    }
  };
  takeUnchanged();
  const toRead = skills.filter((_, place) => (origins[place] as number) < 0);
  readSkillsToIndex(toRead, reader, names, (skill) => {
    columns.addRead(skill);
    takeUnchanged();
    onProgress?.(columns.count);
  });
  return { words: reader.words, columns };
}

/** What an index has of each skill, in order. Mostly bytes: 100,000 skills as objects would not fit into memory. */
class SkillColumns {
  readonly lengths: Uint32Array;
  readonly sequences: ByteWriter;
  readonly sequenceLengths: number[] = [];
  readonly ownWords = new ByteWriter();
  readonly mentions: SkillMentions[] = [];
  readonly besides: string[] = [];

  constructor(skillCount: number, sequenceBytes = 0) {
    this.lengths = new Uint32Array(skillCount * FIELD_COUNT);
    this.sequences = new ByteWriter(sequenceBytes + 1024);
  }

  get count(): number {
    return this.besides.length;
  }

  addUnchanged({ lengths, sequences, sequenceStarts, ...earlier }: EarlierIndex, origin: number): void {
    const [from = 0, end = 0] = sequenceStarts.subarray(origin, origin + 2);
    this.sequences.add(sequences.subarray(from, end));
    this.sequenceLengths.push(end - from);
    // Its words are in the earlier index.
    this.ownWords.varint(0);
    // Without anchors, which are counted anew.
    const own = lengths.subarray(origin * FIELD_COUNT, origin * FIELD_COUNT + ANCHORS);
    this.lengths.set(own, this.count * FIELD_COUNT);
    this.mentions.push(earlier.mentions[origin] as SkillMentions);
    this.besides.push(earlier.besideOf(origin));
  }

  addRead({ lengths, words, counts, sequence, anchors, others, beside }: ReadSkill): void {
    const from = this.sequences.length;
    writeSequence(this.sequences, sequence);
    this.sequenceLengths.push(this.sequences.length - from);
    this.ownWords.varint(words.length);
    for (let i = 0; i < words.length; i++) writeEntry(this.ownWords, words[i] as number, counts[i] as number);
    this.lengths.set(lengths, this.count * FIELD_COUNT);
    this.mentions.push({ anchors, others });
    this.besides.push(beside);
  }
}

/** By skill: its number in the earlier index, or -1 if it must be read. */
function findUnchanged(
  skills: readonly SkillToIndex[],
  earlier: EarlierIndex,
  neighbours: Neighbours,
  isBesideChanged: (place: number, state: string) => boolean,
): number[] {
  // Entries are sorted by skill, so unchanged skills must come in the same order.
  let last = -1;
  return skills.map(({ key }, place) => {
    const origin = earlier.keys.get(key) ?? -1;
    if (origin <= last || neighbours.meant(place, earlier.mentions[origin]?.others ?? []).size > 0) return -1;
    if (isBesideChanged(place, earlier.besideOf(origin))) return -1;
    last = origin;
    return origin;
  });
}

function placesOf(origins: readonly number[], count: number): Int32Array {
  const places = new Int32Array(count).fill(-1);
  origins.forEach((origin, place) => {
    if (origin >= 0) places[origin] = place;
  });
  return places;
}
