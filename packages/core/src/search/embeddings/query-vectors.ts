import type { EmbeddingsConfig } from "../../config/config.ts";
import type { Embed } from "./endpoint.ts";
import { queryInput } from "./skill-input.ts";

const MAX_KEPT = 200;

/** Vectors of requests; the latest are kept in memory. */
export class QueryVectors {
  readonly #prefix: string | undefined;
  readonly #embed: Embed;
  readonly #timeoutMs: number;
  readonly #kept = new Map<string, Float32Array>();

  constructor({ queryPrefix }: EmbeddingsConfig, embed: Embed, timeoutMs: number) {
    this.#prefix = queryPrefix;
    this.#embed = embed;
    this.#timeoutMs = timeoutMs;
  }

  /** The mean of the phrasings, so that each counts the same. */
  async get(phrasings: readonly string[]): Promise<Float32Array> {
    const texts = phrasings.map((text) => queryInput(text, this.#prefix));
    const key = JSON.stringify(texts);
    const known = this.#kept.get(key);
    if (known) return known;
    const vectors = await this.#embed(texts, this.#timeoutMs);
    const mean = new Float32Array(vectors[0]?.length ?? 0);
    for (const vector of vectors) {
      for (const [i, value] of vector.entries()) mean[i] = (mean[i] as number) + value / vectors.length;
    }
    this.#kept.set(key, mean);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return mean;
  }

  clear(): void {
    this.#kept.clear();
  }
}
