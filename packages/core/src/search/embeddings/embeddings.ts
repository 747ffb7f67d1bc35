import type { EmbeddingsConfig } from "../../config/config.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { EmbeddingsError } from "./embeddings-error.ts";
import { type Embed, endpoint } from "./endpoint.ts";
import { cosine } from "./quantize.ts";
import { QueryVectors } from "./query-vectors.ts";
import { SkillVectors, type Waiting } from "./skill-vectors.ts";
import { VectorStore } from "./vector-store.ts";

export interface EmbeddingsTimes {
  /** How long a query may take, and a batch of skills. */
  readonly queryMs: number;
  readonly batchMs: number;
  /** How long a failed endpoint is left alone. */
  readonly retryMs: number;
}

const TIMES: EmbeddingsTimes = { queryMs: 3_000, batchMs: 60_000, retryMs: 30_000 };

/** How near a skill is to the request; `undefined` if it has no vector. */
export type Similarity = (skill: SkillMetadata) => number | undefined;

/** What `knack doctor` shows. */
export interface EmbeddingsState {
  readonly url: string;
  readonly model: string;
  /** How many of the skills have a vector. */
  readonly done: number;
  readonly total: number;
  readonly answer:
    | { readonly dimension: number; readonly ms: number }
    | { readonly fault: string; readonly said: string | undefined };
}

/** The vectors of skills and queries, as the configured endpoint makes them. Outlives a snapshot of the catalog. */
export class Embeddings {
  readonly #config: EmbeddingsConfig;
  readonly #embed: Embed;
  readonly #times: EmbeddingsTimes;
  readonly #store: VectorStore;
  readonly #skills: SkillVectors;
  readonly #queries: QueryVectors;
  #failure: { readonly message: string; readonly until: number } | undefined;

  /** `file`: where vectors are kept, if anywhere. */
  constructor(config: EmbeddingsConfig, env: NodeJS.ProcessEnv, file: string | null, times = TIMES) {
    this.#config = config;
    this.#times = times;
    this.#embed = endpoint(config, env);
    this.#store = new VectorStore(file);
    this.#skills = new SkillVectors(config, this.#embed, this.#store, times.batchMs);
    this.#queries = new QueryVectors(config, this.#embed, times.queryMs);
  }

  /** How near each skill is to some phrasings of a request, or a note why that is not known now. */
  async compare(
    phrasings: readonly string[],
    skills: readonly SkillMetadata[],
    waiting: Waiting,
  ): Promise<Similarity | { readonly note: string }> {
    if (this.#failure && performance.now() < this.#failure.until)
      return this.#unusable(this.#failure.message);
    // Connections do not keep the process alive, so that it can end while vectors are being made. A caller who waits does.
    const alive = setInterval(() => undefined, 60_000);
    try {
      const similarity = await this.#similarity(phrasings, skills, waiting);
      this.#failure = undefined;
      return similarity;
    } catch (error) {
      if (!(error instanceof EmbeddingsError)) throw error;
      this.#failure = { message: error.message, until: performance.now() + this.#times.retryMs };
      return this.#unusable(error.message);
    } finally {
      clearInterval(alive);
    }
  }

  async #similarity(
    phrasings: readonly string[],
    skills: readonly SkillMetadata[],
    waiting: Waiting,
  ): Promise<Similarity | { readonly note: string }> {
    // Twice, because the endpoint may have another model than the one that made the stored vectors.
    for (let round = 0; round < 2; round++) {
      const { done, total } = await this.#skills.prepare(skills, waiting);
      if (done < total)
        return {
          note: `Searched by words only: ${done} of ${total} skills have vectors so far. A later search continues.`,
        };
      const query = await this.#queries.get(phrasings);
      if (query.length === this.#store.dimension)
        return (skill) => {
          const vector = this.#skills.vectorOf(skill);
          return vector && cosine(vector, query);
        };
      this.#queries.clear();
      await this.#skills.changeDimension(query.length);
    }
    throw new EmbeddingsError("answers vectors of different lengths");
  }

  #unusable(message: string): { readonly note: string } {
    return { note: `Searched by words only: the embeddings endpoint ${this.#config.url} ${message}.` };
  }

  /** Asks the endpoint for one vector, whatever happened before. */
  async check(skills: readonly SkillMetadata[]): Promise<EmbeddingsState> {
    const { url, model } = this.#config;
    const state = { url, model, ...this.#skills.count(skills) };
    const alive = setInterval(() => undefined, 60_000);
    const started = performance.now();
    try {
      // A server may have to load the model first.
      const [vector] = await this.#embed(["knack"], 10 * this.#times.queryMs);
      const ms = Math.round(performance.now() - started);
      return { ...state, answer: { dimension: vector?.length ?? 0, ms } };
    } catch (error) {
      if (!(error instanceof EmbeddingsError)) throw error;
      return { ...state, answer: { fault: error.message, said: error.said } };
    } finally {
      clearInterval(alive);
    }
  }
}
