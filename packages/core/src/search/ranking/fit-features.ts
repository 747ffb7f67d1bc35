import type { QueryBackground } from "../background/query-background.ts";
import {
  ANCHORS,
  BESIDE,
  BODY,
  countIn,
  DESCRIPTION,
  FIELD_COUNT,
  HEADINGS,
  IN_NAME_OR_DESCRIPTION,
  IN_OWN_TEXT,
} from "../text/field-counts.ts";
import { columns } from "./columns.ts";
import type { LookUp } from "./look-up.ts";

/**
 * What a candidate has of the request, by itself: words are weighted by how rare they are in general, not in this catalog, and
 * nothing depends on the other skills.
 */
export const FIT_FEATURES = [
  "anywhere",
  "inOwn",
  "close",
  "inName",
  "inHeadings",
  "inAnchors",
  "anywhereSquared",
  "closeSquared",
  "massAnywhere",
  "massClose",
  "wordsAnywhere",
  "wordsClose",
  "strongestAnywhere",
  "strongestClose",
  "surpriseAnywhere",
  "surpriseOwn",
  "surpriseClose",
  "excessAnywhere",
  "excessOwn",
  "excessClose",
  "wordsAsked",
  "massAsked",
  "unknown",
  "chance",
  "logChance",
] as const;
export type FitFeature = (typeof FIT_FEATURES)[number];
export const FIT_AT = columns(FIT_FEATURES);
/** The passages in which the words were counted have this many words. */
const PASSAGE = 100;

/** How much a word counts as one that tells the subject: "the" nothing, a rare word one. */
const telling = (weight: number): number => Math.max(0, weight - 2) / 5;

/** Writes the features of candidate number `c` into `row`. `chance` is that of the best candidate. */
export function fitFeatures(
  { weights, total, totalSquared, unknown }: QueryBackground,
  { counts }: LookUp,
  lengths: Uint32Array,
  c: number,
  skill: number,
  chance: number,
  row: Float64Array,
): void {
  const size = weights.length;
  const length = (field: number): number => lengths[skill * FIELD_COUNT + field] ?? 0;
  const closeLength = length(0) + length(DESCRIPTION);
  const ownLength = closeLength + length(HEADINGS) + length(BODY);
  let name = 0;
  let headings = 0;
  let anchors = 0;
  let asked = unknown / 7;
  const anywhere = new Part(ownLength + length(BESIDE));
  const own = new Part(ownLength);
  const close = new Part(closeLength);
  for (let k = 0; k < size; k++) {
    const packed = counts[c * size + k] as number;
    const weight = weights[k] as number;
    asked += telling(weight);
    anywhere.add(weight, packed !== 0);
    own.add(weight, (packed & IN_OWN_TEXT) !== 0);
    close.add(weight, (packed & IN_NAME_OR_DESCRIPTION) !== 0);
    if (packed === 0) continue;
    if (countIn(packed, 0) > 0) name += weight;
    if (countIn(packed, HEADINGS) > 0) headings += weight;
    if (countIn(packed, ANCHORS) > 0) anchors += weight;
  }
  const all = total || 1;
  const put = (feature: keyof typeof FIT_AT, value: number): void => {
    row[FIT_AT[feature]] = value;
  };
  put("anywhere", anywhere.mass / all);
  put("inOwn", own.mass / all);
  put("close", close.mass / all);
  put("inName", name / all);
  put("inHeadings", headings / all);
  put("inAnchors", anchors / all);
  put("anywhereSquared", anywhere.squared / (totalSquared || 1));
  put("closeSquared", close.squared / (totalSquared || 1));
  put("massAnywhere", Math.log1p(anywhere.mass));
  put("massClose", Math.log1p(close.mass));
  put("wordsAnywhere", Math.log1p(anywhere.telling));
  put("wordsClose", Math.log1p(close.telling));
  put("strongestAnywhere", anywhere.strongest);
  put("strongestClose", close.strongest);
  put("surpriseAnywhere", anywhere.surprise);
  put("surpriseOwn", own.surprise);
  put("surpriseClose", close.surprise);
  put("excessAnywhere", (anywhere.mass - anywhere.expected) / all);
  put("excessOwn", (own.mass - own.expected) / all);
  put("excessClose", (close.mass - close.expected) / all);
  put("wordsAsked", Math.log1p(asked));
  put("massAsked", Math.log1p(total));
  put("unknown", unknown / all);
  put("chance", chance);
  put("logChance", Math.log(Math.max(1e-3, chance)));
}

/** The words of a request that a text has, and how many it would have by chance: more the longer it is. */
class Part {
  mass = 0;
  squared = 0;
  telling = 0;
  strongest = 0;
  expected = 0;
  #variance = 0.5;
  readonly #passages: number;

  constructor(length: number) {
    this.#passages = length / PASSAGE;
  }

  add(weight: number, isFound: boolean): void {
    const share = 1 - Math.max(0.001, 1 - Math.exp(-weight)) ** this.#passages;
    this.expected += weight * share;
    this.#variance += weight * weight * share * (1 - share);
    if (!isFound) return;
    this.mass += weight;
    this.squared += weight * weight;
    this.telling += telling(weight);
    if (weight > this.strongest) this.strongest = weight;
  }

  get surprise(): number {
    return (this.mass - this.expected) / Math.sqrt(this.#variance);
  }
}
