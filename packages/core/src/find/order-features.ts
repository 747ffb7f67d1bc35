import type { QueryOrder } from "./query-order.ts";
import { readPart } from "./read-part.ts";
import type { Scorer } from "./score.ts";
import { BODY_BEGINS, BREAK } from "./skill-words.ts";

/** What the words of a skill, read in their order, say about a query: features of one candidate. */
export const ORDER_FEATURES = [
  "nameAsked",
  "nameWeight",
  "nameNotAsked",
  "nameWords",
  "namePairs",
  "descriptionAsked",
  "descriptionPairs",
  "descriptionNear",
  "descriptionRun",
  "descriptionSentence",
  "quoted",
  "quotedBest",
  "bodyPairs",
  "bodyNear",
  "bodyRun",
  "bodyLine",
  "bodySecondLine",
  "bodyLineDensity",
  "bodyBeginning",
] as const;

/** Puts the features of a skill into `rows`, from `at` on. */
export function orderFeatures(
  scorer: Scorer,
  skill: number,
  query: QueryOrder,
  rows: Float64Array,
  at: number,
): void {
  const { starts } = scorer.index.sequences;
  const end = starts[skill + 1] ?? 0;
  const name = readPart(scorer, starts[skill] ?? 0, end, BREAK, query);
  const description = readPart(scorer, name.end, end, BODY_BEGINS, query);
  const body = readPart(scorer, description.end, end, undefined, query);
  const { total, totalPairs } = query;
  rows.set(
    [
      name.weight > 0 ? name.found / name.weight : 0,
      name.found / total,
      (name.weight - name.found) / 10,
      name.foundWords,
      name.pairs / totalPairs,
      description.weight > 0 ? description.found / description.weight : 0,
      description.pairs / totalPairs,
      description.near / total,
      description.run / totalPairs,
      description.stretch / total,
      description.quoted / total,
      description.bestQuoted / total,
      body.pairs / totalPairs,
      Math.log(1 + body.near),
      body.run / totalPairs,
      body.stretch / total,
      body.secondStretch / total,
      body.density / Math.sqrt(total),
      body.beginning / total,
    ],
    at,
  );
}
