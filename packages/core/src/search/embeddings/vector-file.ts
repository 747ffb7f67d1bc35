import { loadIndexFile, saveIndexFile } from "../../shared/stored/index-file.ts";

/** Vectors of one model by the key of their text. */
export interface StoredVectors {
  readonly dimension: number;
  readonly byKey: ReadonlyMap<string, Int8Array>;
}

/** Increment when the layout or what is embedded of a skill changes. */
const MAGIC = "KNACKEV1";
const KEY = 22;
const HEAD = 8;

/** The content of the file, or `null` if it is missing, damaged or of another version. */
export function loadVectors(file: string): StoredVectors | null {
  return loadIndexFile(file, { magic: MAGIC, decode });
}

/** Dimension and count, then all keys, then all vectors. */
function decode(content: Buffer<ArrayBuffer>): StoredVectors | null {
  const dimension = content.readUInt32LE(0);
  const count = content.readUInt32LE(4);
  if (content.length !== HEAD + count * (KEY + dimension)) return null;
  const byKey = new Map<string, Int8Array>();
  for (let i = 0; i < count; i++) {
    const key = content.toString("latin1", HEAD + i * KEY, HEAD + (i + 1) * KEY);
    const start = content.byteOffset + HEAD + count * KEY + i * dimension;
    byKey.set(key, new Int8Array(content.buffer, start, dimension));
  }
  return { dimension, byKey };
}

/** Writes the file whole or not at all. The system's code if it cannot be written. */
export function saveVectors(file: string, { dimension, byKey }: StoredVectors): string | undefined {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(dimension, 0);
  head.writeUInt32LE(byKey.size, 4);
  const vectors = Buffer.alloc(byKey.size * dimension);
  let at = 0;
  for (const vector of byKey.values()) {
    vectors.set(new Uint8Array(vector.buffer, vector.byteOffset, dimension), at);
    at += dimension;
  }
  return saveIndexFile(file, MAGIC, [head, Buffer.from([...byKey.keys()].join(""), "latin1"), vectors]);
}
