import { loadIndexFile, saveIndexFile } from "../../shared/index-file.ts";
import { FIELD_COUNT } from "../text/field-counts.ts";
import type { SkillEntry } from "./skill-entry.ts";

/** The words of many skills as stored on disk: a dictionary, and each skill's entry by key. */
export interface KnownWords {
  readonly words: Map<string, number>;
  readonly entries: ReadonlyMap<string, SkillEntry>;
}

/** Increment when tokenizing or the layout changes. */
const MAGIC = "KNACKWD5";
/** The header of a skill: number of words, length of the sequence and of the anchors, and field lengths. */
const ROW = 3 + FIELD_COUNT;

interface Layout {
  readonly keys: readonly string[];
  readonly words: string;
}

/** The content of the file, or `null` if it is missing, damaged or not ours. */
export function loadWords(file: string): KnownWords | null {
  return loadIndexFile(file, { magic: MAGIC, decode });
}

function decode(content: Buffer<ArrayBuffer>): KnownWords {
  const layoutLength = content.readUInt32LE(0);
  const { keys, words } = JSON.parse(content.toString("utf8", 8, 8 + layoutLength)) as Layout;
  // Copy, because a view needs aligned bytes.
  const numbers = new Uint32Array(new Uint8Array(content.subarray(8 + layoutLength)).buffer);
  const entries = new Map<string, SkillEntry>();
  let at = keys.length * ROW;
  const take = (length: number): Uint32Array => {
    at += length;
    return numbers.subarray(at - length, at);
  };
  keys.forEach((key, i) => {
    const [size = 0, span = 0, said = 0, ...lengths] = numbers.subarray(i * ROW, (i + 1) * ROW);
    const own = take(size);
    const counts = take(Math.ceil(size / 2));
    const sequence = take(span);
    entries.set(key, {
      words: own,
      counts: new Uint16Array(counts.buffer, counts.byteOffset, size),
      lengths,
      sequence: new Int32Array(sequence.buffer, sequence.byteOffset, span),
      anchors: take(said),
    });
  });
  return { words: new Map(words.split("\n").map((word, number) => [word, number])), entries };
}

/** Writes atomically; a failure is ignored, because search works without the file. */
export function saveWords(
  file: string,
  words: ReadonlyMap<string, number>,
  entries: ReadonlyMap<string, SkillEntry>,
): void {
  const layout = Buffer.from(
    JSON.stringify({ keys: [...entries.keys()], words: [...words.keys()].join("\n") } satisfies Layout),
  );
  const list = [...entries.values()];
  const total = list.reduce(
    (sum, { words: own, sequence, anchors }) =>
      sum + own.length + Math.ceil(own.length / 2) + sequence.length + anchors.length,
    0,
  );
  const numbers = new Uint32Array(list.length * ROW + total);
  const halves = new Uint16Array(numbers.buffer);
  let at = list.length * ROW;
  list.forEach(({ words: own, counts, lengths, sequence, anchors }, i) => {
    numbers.set([own.length, sequence.length, anchors.length, ...lengths], i * ROW);
    numbers.set(own, at);
    at += own.length;
    halves.set(counts, 2 * at);
    at += Math.ceil(own.length / 2);
    numbers.set(new Uint32Array(sequence.buffer, sequence.byteOffset, sequence.length), at);
    at += sequence.length;
    numbers.set(anchors, at);
    at += anchors.length;
  });
  const lead = Buffer.alloc(8);
  lead.writeUInt32LE(layout.length, 0);
  // A full or read-only disk: the catalog has reported it already.
  saveIndexFile(file, MAGIC, [lead, layout, new Uint8Array(numbers.buffer)]);
}
