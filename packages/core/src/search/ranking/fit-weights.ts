import type { FitFeature } from "./fit-features.ts";

/** Written by bench/search/train.ts: the weight of each feature of the decision what fits, and their offset. */
export const FIT_WEIGHTS: Readonly<Record<FitFeature, number>> = {
  anywhere: 1.2833,
  inOwn: 1.0245,
  close: 0.7967,
  inName: 1.3794,
  inHeadings: 1.2104,
  inAnchors: 3.9378,
  anywhereSquared: 1.5193,
  closeSquared: 0.5217,
  massAnywhere: 0.4276,
  massClose: 0,
  wordsAnywhere: 0.3653,
  wordsClose: 0.0905,
  strongestAnywhere: 0.0242,
  strongestClose: 0,
  surpriseAnywhere: 0.0271,
  surpriseOwn: 0.059,
  surpriseClose: 0,
  excessAnywhere: 0.1259,
  excessOwn: 0.7049,
  excessClose: 0.4549,
  wordsAsked: 0.0458,
  massAsked: 0.4186,
  unknown: -0.8559,
  chance: 1.7228,
  logChance: 0.5458,
};
export const OFFSET = -8.4806;
