import type { SkillMetadata } from "../../skill/schema.ts";
import type { SearchLimits, SearchResults } from "../search.ts";
import type { Embeddings } from "./embeddings.ts";
import { fuseByRank } from "./fuse-by-rank.ts";
import type { Waiting } from "./skill-vectors.ts";

export interface Asked {
  /** The query and its other phrasings. */
  readonly phrasings: readonly string[];
  readonly skills: readonly SkillMetadata[];
  readonly limits: SearchLimits;
  readonly waiting: Waiting;
  /** The search by words. */
  readonly search: (limits: SearchLimits) => SearchResults;
}

/** As many as the search by words compares with each other. */
const DEPTH = 60;

/** Words and vectors together; words alone, with a note, if the vectors are not available. */
export async function searchWithEmbeddings(
  embeddings: Embeddings,
  { phrasings, skills, limits, waiting, search }: Asked,
): Promise<SearchResults> {
  const texts = phrasings.filter((text) => text.trim() !== "");
  if (texts.length === 0 || skills.length === 0) return search(limits);
  const similarity = await embeddings.compare(texts, skills, waiting);
  if ("note" in similarity) return { ...search(limits), notes: [similarity.note] };
  const { limit, accepts } = limits;
  const byWords = search({ limit: Math.max(DEPTH, limit), accepts });
  const accepted = accepts ? skills.filter(accepts) : skills;
  const found = fuseByRank(byWords.results, accepted, similarity);
  const results = found.slice(0, limit);
  return {
    ...byWords,
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated: byWords.truncated || found.slice(limit).some(({ fits }) => fits),
  };
}
