import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { searchIndexFile, vectorFile } from "./catalog/cache-folder.ts";
import type { FoundFile } from "./catalog/collect.ts";
import type { Root } from "./catalog/scan/roots.ts";
import type { CatalogSettings } from "./catalog/settings.ts";
import type { Embeddings, EmbeddingsState } from "./search/embeddings/embeddings.ts";
import { CatalogSearch } from "./search/open-search.ts";
import { otherPhrasings, searchPhrasings } from "./search/phrasings.ts";
import type { SearchLimits, SearchResults } from "./search/search.ts";
import { type AsyncSearchOptions, type SearchOptions, searchLimits } from "./search/search-options.ts";
import { SkillError } from "./shared/errors.ts";
import { count, measure, span } from "./shared/telemetry.ts";
import type { SkillMetadata } from "./skill/schema.ts";

/** How long a search waits while vectors are made. */
const WAIT_MS = 5_000;

export interface Searched {
  readonly skills: readonly SkillMetadata[];
  readonly roots: readonly Root[];
  readonly found: readonly FoundFile[];
}

/** Search over the skills of a snapshot, by words and, if configured, by vectors. Both are opened when they are first needed. */
export class SnapshotSearch {
  readonly #settings: CatalogSettings;
  readonly #of: Searched;
  #words: CatalogSearch | undefined;
  #embeddings: Embeddings | undefined;

  constructor(settings: CatalogSettings, of: Searched) {
    this.#settings = settings;
    this.#of = of;
  }

  /** Takes over what another snapshot opened: opening an index takes longer than looking for changes, which every call does. */
  takeOver(before: SnapshotSearch, hasSameTexts: () => boolean): void {
    if (before.#words && hasSameTexts()) this.#words = before.#words;
    // Vectors may be in the making.
    const [old, now] = [before, this].map((one) => one.#settings.config.skills.search);
    if (isDeepStrictEqual(old, now)) this.#embeddings = before.#embeddings;
  }

  search(query: string, options: SearchOptions): SearchResults {
    return this.#byWords(...this.#checked(query, options));
  }

  searchAsync(query: string, options: AsyncSearchOptions): Promise<SearchResults> {
    return span("skill.search", {}, async (traced) => {
      const began = performance.now();
      const found = await this.#searchAsync(query, options);
      const { count: results, fitting } = found;
      traced.set({ "knack.search.results": results, "knack.search.fitting": fitting });
      count("knack.searches");
      measure("knack.search.duration", began);
      return found;
    });
  }

  async #searchAsync(query: string, options: AsyncSearchOptions): Promise<SearchResults> {
    const [phrasings, limits] = this.#checked(query, options);
    const embeddings = await this.#openEmbeddings();
    if (!embeddings) return this.#byWords(phrasings, limits);
    const { searchWithEmbeddings } = await import("./search/embeddings/search-with-embeddings.ts");
    return searchWithEmbeddings(embeddings, {
      phrasings,
      skills: this.#of.skills,
      limits,
      waiting: { ...options, waitMs: options.waitMs ?? WAIT_MS },
      search: (deeper) => this.#byWords(phrasings, deeper),
    });
  }

  /** Whether the embeddings endpoint answers; `undefined` if none is configured. */
  async checkEmbeddings(): Promise<EmbeddingsState | undefined> {
    return (await this.#openEmbeddings())?.check(this.#of.skills);
  }

  /** Settles when the index that is being made in a thread is complete. */
  get ready(): Promise<void> | undefined {
    return this.#words?.ready;
  }

  /** Waits until a search covers the texts of the skills too, at most so long; answers whether it does. */
  async isComplete(maxMs: number): Promise<boolean> {
    if (!this.search("", { limit: 1 }).partial) return true;
    await Promise.race([this.ready, delay(maxMs, undefined, { ref: false })]);
    return this.ready === undefined;
  }

  async #openEmbeddings(): Promise<Embeddings | undefined> {
    const { config, env, place } = this.#settings;
    const { embeddings } = config.skills.search;
    if (!embeddings) return undefined;
    const { Embeddings } = await import("./search/embeddings/embeddings.ts");
    this.#embeddings ??= new Embeddings(embeddings, env, vectorFile(place.cache, embeddings));
    return this.#embeddings;
  }

  #checked(query: string, options: SearchOptions): [phrasings: string[], limits: SearchLimits] {
    if (typeof query !== "string") throw new SkillError("INVALID_PARAM", "The query must be text.");
    const limits = searchLimits(options, this.#settings.config.skills.search);
    return [[query, ...otherPhrasings(query, options.also)], limits];
  }

  #byWords(phrasings: readonly string[], limits: SearchLimits): SearchResults {
    const { config, place, searchInBackground, onIndexProgress } = this.#settings;
    const { skills, found, roots } = this.#of;
    const [query = "", ...also] = phrasings;
    this.#words ??= new CatalogSearch(skills, found, {
      indexFile: searchIndexFile(place.cache, roots),
      maxLimit: config.skills.search.maxLimit,
      project: place.projectRoot,
      inBackground: searchInBackground,
      onProgress: onIndexProgress,
    });
    if (also.length === 0) return this.#words.search(query, limits);
    return searchPhrasings(this.#words, phrasings, limits);
  }
}
