import type { FitFeature } from "./fit-features.ts";

/** Written by bench/search/train.ts: the weight of each feature of the decision what fits, and their offset. */
export const FIT_WEIGHTS: Readonly<Record<FitFeature, number>> = {
  anywhere: 0.9156,
  inOwn: 1.1618,
  close: 0.7577,
  inName: 1.3359,
  inHeadings: 1.3021,
  inAnchors: 3.8882,
  anywhereSquared: 1.291,
  closeSquared: 0.4017,
  massAnywhere: 0.4004,
  massClose: 0.0037,
  wordsAnywhere: 0.3266,
  wordsClose: 0.0879,
  strongestAnywhere: 0.0131,
  strongestClose: 0,
  surpriseAnywhere: 0.0389,
  surpriseOwn: 0.0606,
  surpriseClose: 0,
  excessAnywhere: 0.2919,
  excessOwn: 0.8063,
  excessClose: 0.507,
  wordsAsked: 0.0576,
  massAsked: 0.4467,
  unknown: -0.926,
  chance: 1.6734,
  logChance: 0.5374,
};
export const OFFSET = -8.4206;
