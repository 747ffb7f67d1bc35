import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { systemCode } from "../errors.ts";
import { writeWhole } from "../write-whole.ts";
import { FIELD_COUNT } from "./skill-words.ts";
import type { SkillEntry } from "./text-index.ts";

/** The words of many skills, as they are kept on disk: a dictionary, and each skill's part of it by key. */
export interface KnownWords {
  readonly words: Map<string, number>;
  readonly entries: ReadonlyMap<string, SkillEntry>;
}

/** Counts up whenever a text would give other words or the layout changes. */
const MAGIC = "KNACKWD2";
const DIGEST = 40;
const HEADER = MAGIC.length + DIGEST;

interface Layout {
  readonly keys: readonly string[];
  readonly words: string;
}

/** What is on disk, or `null` where that is nothing, not whole or not ours. */
export function loadWords(file: string): KnownWords | null {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    systemCode(error); // Whatever the system says: without it the skills are read.
    return null;
  }
  const content = bytes.subarray(HEADER);
  if (bytes.length < HEADER + 8 || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return null;
  if (bytes.toString("latin1", MAGIC.length, HEADER) !== hash("sha1", content, "hex")) return null;

  const layoutLength = content.readUInt32LE(0);
  const { keys, words } = JSON.parse(content.toString("utf8", 8, 8 + layoutLength)) as Layout;
  // Copies, because a view needs its bytes at an aligned address.
  const numbers = new Uint32Array(new Uint8Array(content.subarray(8 + layoutLength)).buffer);
  const sizes = numbers.subarray(0, keys.length);
  const spans = numbers.subarray(keys.length, 2 * keys.length);
  const lengthsAt = 2 * keys.length;
  let at = keys.length * (2 + FIELD_COUNT);
  const entries = new Map<string, SkillEntry>();
  keys.forEach((key, i) => {
    const size = sizes[i] ?? 0;
    const lengths = [...numbers.subarray(lengthsAt + i * FIELD_COUNT, lengthsAt + (i + 1) * FIELD_COUNT)];
    const span = spans[i] ?? 0;
    const sequence = new Int32Array(numbers.buffer, (at + 2 * size) * 4, span);
    entries.set(key, {
      words: numbers.subarray(at, at + size),
      counts: numbers.subarray(at + size, at + 2 * size),
      lengths,
      sequence,
    });
    at += 2 * size + span;
  });
  return { words: new Map(words.split("\n").map((word, number) => [word, number])), entries };
}

/** Writes it whole, or not at all: a search can always do without. */
export function saveWords(
  file: string,
  words: ReadonlyMap<string, number>,
  entries: ReadonlyMap<string, SkillEntry>,
): void {
  const layout = Buffer.from(
    JSON.stringify({ keys: [...entries.keys()], words: [...words.keys()].join("\n") } satisfies Layout),
  );
  const list = [...entries.values()];
  const total = list.reduce((sum, { words: own, sequence }) => sum + 2 * own.length + sequence.length, 0);
  const numbers = new Uint32Array(list.length * (2 + FIELD_COUNT) + total);
  let at = list.length * (2 + FIELD_COUNT);
  list.forEach((entry, i) => {
    numbers[i] = entry.words.length;
    numbers[list.length + i] = entry.sequence.length;
    numbers.set(entry.lengths, 2 * list.length + i * FIELD_COUNT);
    numbers.set(entry.words, at);
    numbers.set(entry.counts, at + entry.words.length);
    numbers.set(
      new Uint32Array(entry.sequence.buffer, entry.sequence.byteOffset, entry.sequence.length),
      at + 2 * entry.words.length,
    );
    at += 2 * entry.words.length + entry.sequence.length;
  });
  const lead = Buffer.alloc(8);
  lead.writeUInt32LE(layout.length, 0);
  const content = Buffer.concat([lead, layout, Buffer.from(numbers.buffer)]);
  const header = Buffer.from(MAGIC + hash("sha1", content, "hex"), "latin1");
  // A full or read-only disk: the catalog has told it already.
  writeWhole(file, header, content);
}
