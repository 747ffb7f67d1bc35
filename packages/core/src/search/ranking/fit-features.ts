import type { TextIndex } from "../index/text-index.ts";
import type { QueryBackground, QueryWords } from "../query/query-words.ts";
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
} from "../text/skill-words.ts";
import { FIT_COLUMN_OF as AT, FIT_FEATURES, type LookUp, type Scores } from "./candidates.ts";
import { FIT_WEIGHTS, OFFSET } from "./weights.ts";

/** The passages in which the words were counted have this many words. */
const PASSAGE = 100;

/** How much a word counts as one that tells the subject: "the" nothing, a rare word one. */
const telling = (weight: number): number => Math.max(0, weight - 2) / 5;

/** Writes the features of candidate number `c` into `row`. `chance` is that of the best candidate. */
function fitFeatures(
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
  const put = (feature: keyof typeof AT, value: number): void => {
    row[AT[feature]] = value;
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
  put("wordsAnywhere", Math.log1p(anywhere.telling));
  put("wordsClose", Math.log1p(close.telling));
  put("strongestAnywhere", anywhere.strongest);
  put("surpriseAnywhere", anywhere.surprise);
  put("surpriseOwn", own.surprise);
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

/** How a difference of sums becomes odds among the candidates: fitted to the prompts. */
const SHARPNESS = 1.25;
/** In a short query, what has a word that is at least so rare in general fits. */
const TELLING = 2.5;
/** But not what has less than this share of what the first result has of the query. */
const SHARE_OF_FIRST = 0.6;
/** So few skills as most people have. */
const FEW_SKILLS = 64;
/** From this probability on a skill fits, by the number of skills: the fewer, the fewer come near a request by chance. */
const MIN_PROBABILITY = [
  { upTo: FEW_SKILLS, alone: 0.11, together: 0.2 },
  { upTo: 256, alone: 0.145, together: 0.2 },
  { upTo: 2_048, alone: 0.36, together: 0.33 },
  { upTo: Number.POSITIVE_INFINITY, alone: 0.45, together: 0.36 },
] as const;

/** `isTogether`: for the mean of several phrasings, which is steadier: a right skill has more, and by chance one has less. */
export function minAmong(skills: number, isTogether = false): number {
  const { alone = 1, together = 1 } = MIN_PROBABILITY.find(({ upTo }) => skills <= upTo) ?? {};
  return isTogether ? together : alone;
}

/** Less likely than this share of the best candidate's chance, a skill is only beside what was asked for. */
export const MIN_OF_BEST = 0.01;

const WIDTH = FIT_FEATURES.length;
const VECTOR = Float64Array.from(FIT_FEATURES, (name) => FIT_WEIGHTS[name]);

/** By candidate: the probability that it is the one that was meant, if one of them was. */
export function chancesOf(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(SHARPNESS * (sum - most)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return odds.map((odd) => odd / total);
}

/** The features of candidate number `c` for the decision whether it fits. `chance` is that of the best candidate. */
export function fitRow(
  index: TextIndex,
  query: QueryWords,
  { found, scores }: { readonly found: LookUp; readonly scores: Scores },
  candidates: readonly number[],
  c: number,
  chance: number,
): Float64Array {
  const row = new Float64Array(WIDTH);
  fitFeatures(query.background, found, index.lengths, c, candidates[c] ?? 0, chance, row);
  const skill = candidates[c] ?? 0;
  const all = query.background.total || 1;
  row[AT.general] = (scores.general[skill] ?? 0) / all;
  row[AT.generalClose] = (scores.generalClose[skill] ?? 0) / all;
  return row;
}

/** The probability that a candidate is about what was asked for. */
export function fitProbability(row: Float64Array): number {
  let sum = OFFSET;
  for (let f = 0; f < WIDTH; f++) sum += (VECTOR[f] as number) * (row[f] as number);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * How likely it is that a candidate is about what was asked for. It is judged by its own figures, so in a catalog of ten skills as
 * in one of ten thousand, the best one does not fit because it is the best. `ofBest` is its chance as a share of the best one's;
 * `first` are the best one's figures; `isSaid`: whether its description says what was asked for, nearly word for word.
 */
export function likelihoodOf(
  query: QueryWords,
  skills: number,
  ofBest: number,
  first: Float64Array,
  rowOf: () => Float64Array,
  isSaid: () => boolean,
): number {
  // Few candidates are near the best, so few rows are needed.
  if (ofBest < MIN_OF_BEST && !query.isShort) return 0;
  const row = rowOf();
  if (isShortMatch(query, row, first)) return 1;
  if (ofBest < MIN_OF_BEST) return 0;
  if (isSaid()) return 1;
  const own = fitProbability(row);
  return isMeant(skills, row) ? Math.max(own, MEANT_LIKELIHOOD) : own;
}

/** Among few skills, one that has this share of what a request means, and this in its name or description, fits. */
const MEANT = 0.65;
const MEANT_CLOSE = 0.3;
/** Enough for a request as it stands; with several phrasings their mean decides. */
const MEANT_LIKELIHOOD = 0.2;

function isMeant(skills: number, row: Float64Array): boolean {
  return (
    skills <= FEW_SKILLS && (row[AT.general] ?? 0) >= MEANT && (row[AT.generalClose] ?? 0) >= MEANT_CLOSE
  );
}

export function isShortMatch({ isShort }: QueryWords, row: Float64Array, first: Float64Array): boolean {
  const share = (of: Float64Array): number => of[AT.anywhere] ?? 0;
  return (
    isShort && (row[AT.strongestAnywhere] ?? 0) >= TELLING && share(row) >= SHARE_OF_FIRST * share(first)
  );
}
