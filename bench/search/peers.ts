/** The same skills in other search engines, each configured as its documentation advises. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface Document {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface Search {
  (query: string, limit: number): number[] | Promise<number[]>;
  /** Bytes of the index as the engine stores it. */
  readonly stored?: () => number;
}
type Make = (documents: readonly Document[]) => Search | Promise<Search>;

const modules = join(import.meta.dirname, "..", "peers", "node_modules");
const load = (file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(modules, file)).href);

/** Loading an engine's code is not measured. */
export const engines: Readonly<Record<"plain BM25" | "MiniSearch" | "Orama", () => Promise<Make>>> = {
  "plain BM25": async () => plainBm25,
  MiniSearch: miniSearch,
  Orama: orama,
};

async function miniSearch(): Promise<Make> {
  const { default: MiniSearch } = (await load("minisearch/dist/es/index.js")) as {
    default: new (
      options: object,
    ) => { addAll(all: readonly Document[]): void; search(query: string): { id: number }[] };
  };
  return (documents) => {
    const engine = new MiniSearch({
      fields: ["name", "description", "body"],
      searchOptions: { boost: { name: 3, description: 2 } },
    });
    engine.addAll(documents);
    const search = (query: string, limit: number): number[] =>
      engine
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id);
    return Object.assign(search, { stored: () => Buffer.byteLength(JSON.stringify(engine)) });
  };
}

/**
 * Batch insertion without a pause, no sort index, only the searched fields, no typo tolerance. Every query word is also a
 * prefix; only `exact` would disable that, and it drops every skill without all the words. A threshold below 1 saves no
 * work: all skills with any of the words are scored first.
 */
async function orama(): Promise<Make> {
  const { create, insertMultiple, search } = (await load("@orama/orama/dist/esm/index.js")) as {
    create(options: object): object;
    insertMultiple(db: object, all: object[], batch: number): Promise<unknown>;
    search(db: object, options: object): Promise<{ hits: { id: string }[] }>;
  };
  return async (documents) => {
    const db = create({
      schema: { name: "string", description: "string", body: "string" } as const,
      sort: { enabled: false },
    });
    await insertMultiple(
      db,
      documents.map(({ id, name, description, body }) => ({ id: String(id), name, description, body })),
      1_000,
    );
    return async (term, limit) => {
      const { hits } = await search(db, { term, limit, boost: { name: 3, description: 2 } });
      return hits.map(({ id }) => Number(id));
    };
  };
}

/** Textbook BM25 over name, description and body as one text, with lower-cased words. */
function plainBm25(documents: readonly Document[]): Search {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ id, name, description, body }) => {
    const all = words(`${name} ${description} ${body}`);
    for (const word of all) {
      const having = postings.get(word) ?? new Map<number, number>();
      postings.set(word, having.set(id, (having.get(id) ?? 0) + 1));
    }
    return all.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(words(query))) {
      const having = postings.get(word);
      if (!having) continue;
      const rarity = Math.log(1 + (lengths.length - having.size + 0.5) / (having.size + 0.5));
      for (const [id, count] of having) {
        const norm = 1.2 * (0.25 + (0.75 * (lengths[id] ?? 0)) / average);
        scores.set(id, (scores.get(id) ?? 0) + (rarity * count * 2.2) / (count + norm));
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([id]) => id);
  };
}
