import type { EmbeddingsConfig } from "../../config/config.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { EmbeddingsError } from "./embeddings-error.ts";
import type { Embed } from "./endpoint.ts";
import { type Input, makeVectors } from "./make-vectors.ts";
import { inputKey, skillInput } from "./skill-input.ts";
import type { VectorStore } from "./vector-store.ts";

/** How long a caller waits while vectors of skills are made, and who hears of it. */
export interface Waiting {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How many skills have a vector, or never will. */
interface Count {
  readonly done: number;
  readonly total: number;
}

/** How much work a process that is killed may lose. */
const SAVE_MS = 2_000;
/** A refused text is tried again after this time. */
const REFUSED_MS = 600_000;

/** More often, an endpoint does not change its model while a process runs. */
const MAX_CHANGES = 5;

/** The vectors of skills. Those that are missing are made in the background, one job at a time. */
export class SkillVectors {
  readonly #config: EmbeddingsConfig;
  readonly #embed: Embed;
  readonly #store: VectorStore;
  readonly #timeoutMs: number;
  readonly #keys = new WeakMap<SkillMetadata, string>();
  readonly #refused = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #job: Promise<void> | undefined;
  #changes = 0;

  constructor(config: EmbeddingsConfig, embed: Embed, store: VectorStore, timeoutMs: number) {
    this.#config = config;
    this.#embed = embed;
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  vectorOf(skill: SkillMetadata): Int8Array | undefined {
    return this.#store.get(this.#keyOf(skill));
  }

  count(skills: readonly SkillMetadata[]): Count {
    return {
      done: skills.length - skills.filter((skill) => this.#isMissing(skill)).length,
      total: skills.length,
    };
  }

  /** Makes what is missing, and waits for it as long as the caller does. Throws `EmbeddingsError`. */
  async prepare(skills: readonly SkillMetadata[], { waitMs, signal, onProgress }: Waiting): Promise<Count> {
    let count = this.count(skills);
    if (count.done === count.total) return count;
    const end = performance.now() + waitMs;
    const tell = (): void => {
      count = this.count(skills);
      onProgress?.(count.done, count.total);
    };
    this.#listeners.add(tell);
    try {
      // A job may be about the skills of an earlier snapshot; then another one follows.
      do {
        this.#job ??= this.#make(skills).finally(() => {
          this.#job = undefined;
        });
        await settledOrOver(this.#job, end - performance.now(), signal);
        count = this.count(skills);
      } while (count.done < count.total && performance.now() < end && !signal?.aborted);
    } finally {
      this.#listeners.delete(tell);
    }
    return count;
  }

  /** Forgets all vectors if the endpoint makes vectors of this dimension now; throws `EmbeddingsError` if that was an accident. */
  async changeDimension(dimension: number): Promise<void> {
    const [vector] = await this.#embed(["knack"], this.#timeoutMs);
    if (this.#store.dimension === dimension) return;
    if (vector?.length !== dimension || this.#changes++ === MAX_CHANGES)
      throw new EmbeddingsError("answers vectors of different lengths");
    this.#store.clear();
  }

  async #make(skills: readonly SkillMetadata[]): Promise<void> {
    const keys = new Set(skills.map((skill) => this.#keyOf(skill)));
    const missing = new Map<string, Input>();
    for (const skill of skills) {
      const key = this.#keyOf(skill);
      if (this.#isMissing(skill)) missing.set(key, { key, text: this.#textOf(skill) });
    }
    let saved = performance.now();
    const take = async (inputs: readonly Input[], vectors: readonly Float32Array[]): Promise<void> => {
      const dimension = vectors[0]?.length ?? 0;
      if ((this.#store.dimension ?? dimension) !== dimension) await this.changeDimension(dimension);
      for (const [i, vector] of vectors.entries()) this.#store.add(inputs[i]?.key ?? "", vector);
      for (const tell of this.#listeners) tell();
      const started = performance.now();
      if (started - saved < SAVE_MS) return;
      this.#store.save(keys);
      // Saving a large file takes long: spend a tenth of the time on it.
      saved = performance.now() + 9 * (performance.now() - started);
    };
    try {
      await makeVectors([...missing.values()], {
        embed: this.#embed,
        timeoutMs: this.#timeoutMs,
        take,
        refuse: ({ key }) => this.#refused.set(key, performance.now() + REFUSED_MS),
      });
    } finally {
      this.#store.save(keys);
    }
  }

  #isMissing(skill: SkillMetadata): boolean {
    const key = this.#keyOf(skill);
    return !this.#store.has(key) && (this.#refused.get(key) ?? 0) < performance.now();
  }

  #keyOf(skill: SkillMetadata): string {
    const known = this.#keys.get(skill);
    if (known !== undefined) return known;
    const key = inputKey(this.#config.model, this.#textOf(skill));
    this.#keys.set(skill, key);
    return key;
  }

  #textOf(skill: SkillMetadata): string {
    return skillInput(skill, this.#config.skillPrefix);
  }
}

/** Resolves when the work is done, the time is over or the signal comes; rejects if the work fails. */
async function settledOrOver(
  work: Promise<void>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms < MAX_TIMER ? setTimeout(resolve, Math.max(0, ms)) : undefined;
  const stop = (): void => resolve();
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  // Nobody may be waiting any more when the work fails; the next search finds out by itself.
  work.catch(() => undefined);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Node takes no longer time. */
const MAX_TIMER = 2 ** 31 - 1;
