import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { Neighbours, type Sayings, SayingsReader, whoIsMeant } from "../index/anchors.ts";
import { encodeIndex, type IndexParts, startsOf } from "../index/index-parts.ts";
import { ANCHORS, FIELD_COUNT } from "../text/field-counts.ts";
import { type EarlierIndex, readEarlier } from "./earlier-index.ts";
import { IndexBuilder } from "./index-builder.ts";
import { mergePostings } from "./merge-postings.ts";
import { readInThread } from "./read-in-thread.ts";

export interface SkillToIndex extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  /** Changes when the skill does; `KEY` bytes in hexadecimal. */
  readonly key: string;
  readonly body: () => string;
  /** Where the body is, if another thread can read it. */
  readonly file?: string;
}

/** For fewer skills a thread is not worth its start. */
const MANY_SKILLS = 500;

/**
 * The index of these skills, in search order, as the parts of a file. What an earlier index has of unchanged skills is taken
 * from there; the others are read.
 */
export function makeIndex(
  skills: readonly SkillToIndex[],
  digest: Uint8Array,
  earlierParts: IndexParts | null,
): Uint8Array[] {
  const neighbours = new Neighbours(skills);
  const earlier = earlierParts && readEarlier(earlierParts, skills.length);
  const origins = earlier ? findUnchanged(skills, earlier, neighbours) : skills.map(() => -1);
  const builder = new IndexBuilder(earlier?.words());
  const added = skills.map((_, place) => place).filter((place) => (origins[place] as number) < 0);
  readSkills(
    added.map((place) => skills[place] as SkillToIndex),
    builder,
  );
  const lengths = new Uint32Array(skills.length * FIELD_COUNT);
  const { said, stored } = whoIsMeant(sayingsOf(origins, earlier, builder), neighbours);
  const { sequences, sequenceLengths } = joinSkills(origins, earlier, builder, lengths);
  for (const [skill, sentences] of said)
    lengths[skill * FIELD_COUNT + ANCHORS] = sentences.reduce((sum, words) => sum + words.length, 0);
  const postings = mergePostings({
    wordCount: builder.words.size,
    earlier: earlier && { entriesOf: earlier.entriesOf, places: placesOf(origins, earlier.keys.size) },
    added,
    ownWords: builder.ownWords.written(),
    said,
  });
  const keys = Buffer.from(skills.map(({ key }) => key).join(""), "hex");
  const { words } = builder;
  return encodeIndex({ digest, keys, words, postings, lengths, sequenceLengths, sequences, anchors: stored });
}

/** Many skills are read by two threads: the second half by the other one. */
function readSkills(skills: readonly SkillToIndex[], builder: IndexBuilder): void {
  const add = ({ name, dir, description, body }: SkillToIndex): void =>
    builder.add({ name, folder: basename(dir), description, body: body() });
  const half = Math.ceil(skills.length / 2);
  const files = skills
    .slice(half)
    .flatMap(({ name, dir, description, file }) =>
      file === undefined ? [] : [{ name, dir, description, file }],
    );
  const isDivided = skills.length >= MANY_SKILLS && files.length === skills.length - half;
  if (!isDivided || availableParallelism() === 1) {
    for (const skill of skills) add(skill);
    return;
  }
  const ofThread = readInThread(files);
  for (const skill of skills.slice(0, half)) add(skill);
  const built = ofThread();
  if (built) builder.addBuilt(built);
  else for (const skill of skills.slice(half)) add(skill);
}

/** By skill: its number in the earlier index, or -1 if it must be read. */
function findUnchanged(
  skills: readonly SkillToIndex[],
  earlier: EarlierIndex,
  neighbours: Neighbours,
): number[] {
  // Entries are sorted by skill, so unchanged skills must come in the same order.
  let last = -1;
  return skills.map(({ key }, place) => {
    const origin = earlier.keys.get(key) ?? -1;
    if (origin <= last || neighbours.meant(place, earlier.sayings[origin]?.others ?? []).size > 0) return -1;
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

function* sayingsOf(
  origins: readonly number[],
  earlier: EarlierIndex | null,
  builder: IndexBuilder,
): Generator<Sayings> {
  const added = new SayingsReader(builder.anchors.written());
  for (const origin of origins) yield earlier?.sayings[origin] ?? added.next();
}

/** Puts old and new skills in order. */
function joinSkills(
  origins: readonly number[],
  earlier: EarlierIndex | null,
  builder: IndexBuilder,
  lengths: Uint32Array,
): { sequences: Uint8Array; sequenceLengths: Uint32Array } {
  const added = builder.sequences.written();
  const addedStarts = startsOf(Uint32Array.from(builder.sequenceLengths));
  const sequenceLengths = new Uint32Array(origins.length);
  const writer = earlier ? new ByteWriter(added.length + 1024) : null;
  let next = 0;
  origins.forEach((origin, place) => {
    const from = earlier && origin >= 0 ? earlier : null;
    const number = from ? origin : next++;
    const starts = from?.sequenceStarts ?? addedStarts;
    const [start = 0, end = 0] = [starts[number], starts[number + 1]];
    sequenceLengths[place] = end - start;
    writer?.add((from?.sequences ?? added).subarray(start, end));
    // Without anchors, which are counted anew.
    for (let field = 0; field < ANCHORS; field++)
      lengths[place * FIELD_COUNT + field] =
        (from?.lengths ?? builder.lengths)[number * FIELD_COUNT + field] ?? 0;
  });
  return { sequences: writer?.written() ?? added, sequenceLengths };
}
