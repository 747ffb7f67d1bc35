import { quantize } from "./quantize.ts";
import { loadVectors, saveVectors } from "./vector-file.ts";

/** 100,000 skills with vectors of 1,536 numbers are 150 MB. */
const MAX_BYTES = 192 * 1024 * 1024;

/** The vectors of one model, in memory and in a file that other processes share. */
export class VectorStore {
  readonly #file: string | null;
  readonly #maxBytes: number;
  readonly #byKey = new Map<string, Int8Array>();
  #dimension: number | undefined;
  #isChanged = false;

  /** `file`: where they are kept, if anywhere. */
  constructor(file: string | null, maxBytes = MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#takeFromFile();
  }

  /** How many numbers a vector has; `undefined` while there is none. */
  get dimension(): number | undefined {
    return this.#dimension;
  }

  get(key: string): Int8Array | undefined {
    return this.#byKey.get(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Vectors must have the store's dimension. */
  add(key: string, vector: Float32Array): void {
    this.#dimension ??= vector.length;
    this.#byKey.set(key, quantize(vector));
    this.#isChanged = true;
  }

  /** Forgets everything: the vectors are of another model. */
  clear(): void {
    this.#byKey.clear();
    this.#dimension = undefined;
    this.#isChanged = true;
  }

  /**
   * Writes the file if something is new, with what other processes added meanwhile. Vectors that are not `wanted` stay for other
   * catalogs while there is room. A file that cannot be written is made by a later search.
   */
  save(wanted: Iterable<string>): void {
    if (this.#file === null || !this.#isChanged || this.#dimension === undefined) return;
    this.#takeFromFile();
    const room = Math.floor(this.#maxBytes / (this.#dimension + 32));
    const kept = new Map<string, Int8Array>();
    for (const keys of [wanted, [...this.#byKey.keys()].reverse()]) {
      for (const key of keys) {
        if (kept.size >= room) break;
        const vector = this.#byKey.get(key);
        if (vector) kept.set(key, vector);
      }
    }
    saveVectors(this.#file, { dimension: this.#dimension, byKey: kept });
    this.#isChanged = false;
  }

  #takeFromFile(): void {
    const stored = this.#file === null ? null : loadVectors(this.#file);
    if (!stored || (this.#dimension ?? stored.dimension) !== stored.dimension) return;
    this.#dimension = stored.dimension;
    for (const [key, vector] of stored.byKey) if (!this.#byKey.has(key)) this.#byKey.set(key, vector);
  }
}
