import type { Scorer } from "../index/bm25f.ts";
import { type Hits, readHits } from "../index/hits.ts";
import { BODY_BEGINS, DESCRIPTION_BEGINS } from "../text/skill-words.ts";
import { columns } from "./columns.ts";
import type { QueryOrder } from "./query-order.ts";
import { type Part, readPart } from "./read-part.ts";

/** Features from the order of a skill's words. */
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

/** The second set weights words by how well they distinguish the candidates. */
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
const AT = columns(ORDER_FEATURES);
const IN_TEXT = columns(TEXT_FEATURES);

/** Writes the features of a skill into `rows`, from `at` on. */
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
  rows[at + AT.nameAsked] = name.mass > 0 ? name.found / name.mass : 0;
  rows[at + AT.nameWeight] = name.found / total;
  rows[at + AT.nameNotAsked] = (name.mass - name.found) / 10;
  rows[at + AT.nameWords] = name.foundWords;
  rows[at + AT.namePairs] = name.pairs / totalPairs;
  rows[at + AT.descriptionAsked] = description.mass > 0 ? description.found / description.mass : 0;
  rows[at + AT.quoted] = description.quoted / total;
  textFeatures(description, body, query, rows, at + AT.descriptionPairs);
  textFeatures(
    readPart(hits, name.end, BODY_BEGINS, among),
    readPart(hits, description.end, undefined, among),
    among,
    rows,
    at + AT.descriptionPairsAmong,
  );
}

function textFeatures(
  description: Part,
  body: Part,
  { total, totalPairs }: QueryOrder,
  rows: Float64Array,
  at: number,
): void {
  rows[at + IN_TEXT.descriptionPairs] = description.pairs / totalPairs;
  rows[at + IN_TEXT.descriptionNear] = description.near / total;
  rows[at + IN_TEXT.descriptionRun] = description.run / totalPairs;
  rows[at + IN_TEXT.descriptionSentence] = description.stretch / total;
  rows[at + IN_TEXT.quotedBest] = description.bestQuoted / total;
  rows[at + IN_TEXT.bodyPairs] = body.pairs / totalPairs;
  rows[at + IN_TEXT.bodyNear] = Math.log(1 + body.near);
  rows[at + IN_TEXT.bodyRun] = body.run / totalPairs;
  rows[at + IN_TEXT.bodyLine] = body.stretch / total;
  rows[at + IN_TEXT.bodySecondLine] = body.secondStretch / total;
  rows[at + IN_TEXT.bodyLineDensity] = body.density / Math.sqrt(total);
  rows[at + IN_TEXT.bodyBeginning] = body.beginning / total;
}
