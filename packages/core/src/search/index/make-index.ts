import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { PartBytes } from "../../shared/stored/parts-file.ts";
import { ANCHORS, FIELD_COUNT } from "../text/skill-words.ts";
import { MentionsReader, Neighbours, resolveMentions, type SkillMentions } from "./anchors.ts";
import { type BuiltSkills, IndexBuilder } from "./index-builder.ts";
import { type Entries, mergePostings } from "./postings.ts";
import { readSkills, type SkillToIndex } from "./read-skills.ts";
import {
  besideReader,
  decodeNumbers,
  encodeIndex,
  entryReader,
  type IndexParts,
  openDictionary,
  startsOf,
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

/** `null` if most of it is about skills that are gone: the dictionary keeps their words. */
function readEarlier(parts: IndexParts, skillCount: number): EarlierIndex | null {
  const keyBytes = Buffer.from(wholeOf(parts.keys));
  const count = keyBytes.length / KEY;
  const having = decodeNumbers(parts.having);
  const unused = having.reduce((sum, skills) => (skills === 0 ? sum + 1 : sum), 0);
  if (count > 2 * skillCount + 100 || 2 * unused > having.length) return null;
  const keys = new Map<string, number>();
  for (let skill = 0; skill < count; skill++)
    keys.set(keyBytes.toString("hex", skill * KEY, (skill + 1) * KEY), skill);
  const mentions = new MentionsReader(wholeOf(parts.anchors));
  return {
    count,
    keys,
    words: () => openDictionary(parts).all(),
    entriesOf: entryReader(parts, having),
    lengths: decodeNumbers(parts.lengths),
    sequences: wholeOf(parts.sequences),
    sequenceStarts: startsOf(decodeNumbers(parts.sequenceLengths)),
    besideOf: besideReader(parts),
    mentions: Array.from({ length: count }, () => mentions.next()),
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
  const builder = new IndexBuilder(neighbours.marks, earlier?.words());
  const added = skills.map((_, place) => place).filter((place) => (origins[place] as number) < 0);
  const toRead = added.map((place) => skills[place] as SkillToIndex);
  const unchanged = skills.length - toRead.length;
  const built = readSkills(toRead, builder, neighbours.marks, (done) => onProgress?.(unchanged + done));
  builder.end();
  const lengths = new Uint32Array(skills.length * FIELD_COUNT);
  const { mentioned, stored } = resolveMentions(mentionsOf(origins, earlier, built), neighbours);
  const { sequences, sequenceLengths, besides } = joinSkills(origins, earlier, built, lengths);
  for (const [skill, sentences] of mentioned)
    lengths[skill * FIELD_COUNT + ANCHORS] = sentences.reduce((sum, words) => sum + words.length, 0);
  const postings = mergePostings({
    wordCount: builder.words.size,
    earlier: earlier && { entriesOf: earlier.entriesOf, places: placesOf(origins, earlier.count) },
    added,
    ownWords: built.map(({ ownWords }) => ownWords),
    mentioned,
  });
  // Frees the words of the skills, which are in the entries now.
  built.length = 0;
  const keys = Buffer.from(skills.map(({ key }) => key).join(""), "hex");
  const { words } = builder;
  return encodeIndex({
    ...{ digest, keys, words, postings, lengths, sequenceLengths, sequences, besides },
    anchors: stored,
  });
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

function* mentionsOf(
  origins: readonly number[],
  earlier: EarlierIndex | null,
  built: readonly BuiltSkills[],
): Generator<SkillMentions> {
  const added = addedMentions(built);
  for (const origin of origins) yield earlier?.mentions[origin] ?? (added.next().value as SkillMentions);
}

function* addedMentions(built: readonly BuiltSkills[]): Generator<SkillMentions> {
  for (const { anchors, sequenceLengths } of built) {
    const reader = new MentionsReader(anchors);
    for (let left = sequenceLengths.length; left > 0; left--) yield reader.next();
  }
}

interface OneSkill {
  readonly sequence: Uint8Array;
  readonly lengths: ArrayLike<number>;
  /** Where the lengths of this skill begin. */
  readonly at: number;
  readonly beside: string;
}

function* addedSkills(built: readonly BuiltSkills[]): Generator<OneSkill> {
  for (const { sequences, sequenceLengths, lengths, besides } of built) {
    let end = 0;
    for (const [i, length] of sequenceLengths.entries()) {
      end += length;
      yield {
        sequence: sequences.subarray(end - length, end),
        lengths,
        at: i * FIELD_COUNT,
        beside: besides[i] ?? "",
      };
    }
  }
}

/** Puts old and new skills in order. */
function joinSkills(
  origins: readonly number[],
  earlier: EarlierIndex | null,
  built: readonly BuiltSkills[],
  lengths: Uint32Array,
): { sequences: PartBytes; sequenceLengths: Uint32Array; besides: string[] } {
  const added = addedSkills(built);
  const sequenceLengths = new Uint32Array(origins.length);
  const besides: string[] = [];
  const writer = earlier ? new ByteWriter(earlier.sequences.length + 1024) : null;
  origins.forEach((origin, place) => {
    const {
      sequence,
      lengths: from,
      at,
      beside,
    } = earlier && origin >= 0 ? oldSkill(earlier, origin) : (added.next().value as OneSkill);
    sequenceLengths[place] = sequence.length;
    writer?.add(sequence);
    besides.push(beside);
    // Without anchors, which are counted anew.
    for (let field = 0; field < ANCHORS; field++)
      lengths[place * FIELD_COUNT + field] = from[at + field] ?? 0;
  });
  return {
    sequences: writer?.written() ?? built.map(({ sequences }) => sequences),
    sequenceLengths,
    besides,
  };
}

function oldSkill({ sequences, sequenceStarts, lengths, besideOf }: EarlierIndex, origin: number): OneSkill {
  return {
    sequence: sequences.subarray(sequenceStarts[origin], sequenceStarts[origin + 1]),
    lengths,
    at: origin * FIELD_COUNT,
    beside: besideOf(origin),
  };
}
