import type { Scorer } from "../index/bm25f.ts";
import { type Hits, readHits } from "../index/hits.ts";
import { BODY_BEGINS, DESCRIPTION_BEGINS } from "../text/skill-words.ts";
import type { QueryOrder } from "./query-order.ts";
import { type Part, readPart } from "./read-part.ts";

/** What the words of a skill, read in their order, say about a query. */
const TEXT_FEATURES = [
  "descriptionPairs",
  "descriptionNear",
  "descriptionRun",
  "descriptionSentence",
  "quotedBest",
  "bodyPairs",
  "bodyNear",
  "bodyRun",
  "bodyLine",
  "bodySecondLine",
  "bodyLineDensity",
  "bodyBeginning",
] as const;

/** The second time with words weighed by how well they tell the candidates apart. */
export const ORDER_FEATURES = [
  "nameAsked",
  "nameWeight",
  "nameNotAsked",
  "nameWords",
  "namePairs",
  "descriptionAsked",
  "quoted",
  ...TEXT_FEATURES,
  ...TEXT_FEATURES.map((name) => `${name}Among` as const),
] as const;

/** Puts the features of a skill into `rows`, from `at` on. */
export function orderFeatures(
  scorer: Scorer,
  skill: number,
  query: QueryOrder,
  among: QueryOrder,
  hits: Hits,
  rows: Float64Array,
  at: number,
): void {
  readHits(scorer, skill, hits);
  const name = readPart(hits, 0, DESCRIPTION_BEGINS, query);
  const description = readPart(hits, name.end, BODY_BEGINS, query);
  const body = readPart(hits, description.end, undefined, query);
  const { total, totalPairs } = query;
  rows[at] = name.mass > 0 ? name.found / name.mass : 0;
  rows[at + 1] = name.found / total;
  rows[at + 2] = (name.mass - name.found) / 10;
  rows[at + 3] = name.foundWords;
  rows[at + 4] = name.pairs / totalPairs;
  rows[at + 5] = description.mass > 0 ? description.found / description.mass : 0;
  rows[at + 6] = description.quoted / total;
  textFeatures(description, body, query, rows, at + 7);
  textFeatures(
    readPart(hits, name.end, BODY_BEGINS, among),
    readPart(hits, description.end, undefined, among),
    among,
    rows,
    at + 7 + TEXT_FEATURES.length,
  );
}

function textFeatures(
  description: Part,
  body: Part,
  { total, totalPairs }: QueryOrder,
  rows: Float64Array,
  at: number,
): void {
  rows[at] = description.pairs / totalPairs;
  rows[at + 1] = description.near / total;
  rows[at + 2] = description.run / totalPairs;
  rows[at + 3] = description.stretch / total;
  rows[at + 4] = description.bestQuoted / total;
  rows[at + 5] = body.pairs / totalPairs;
  rows[at + 6] = Math.log(1 + body.near);
  rows[at + 7] = body.run / totalPairs;
  rows[at + 8] = body.stretch / total;
  rows[at + 9] = body.secondStretch / total;
  rows[at + 10] = body.density / Math.sqrt(total);
  rows[at + 11] = body.beginning / total;
}
