import type { FitFeature } from "./fit-features.ts";

/** Written by bench/search/train.ts: the weight of each feature of the decision what fits, and their offset. */
export const FIT_WEIGHTS: Readonly<Record<FitFeature, number>> = {
  anywhere: 1.4691,
  close: 0.9153,
  inName: 0.8925,
  inHeadings: 1.2897,
  inAnchors: 3.3808,
  anywhereSquared: 1.601,
  closeSquared: 0.5395,
  massAnywhere: 0.4373,
  massClose: 0.0211,
  wordsAnywhere: 0.4027,
  wordsClose: 0.1291,
  strongestAnywhere: 0.0498,
  strongestClose: 0,
  surpriseAnywhere: 0.0674,
  surpriseClose: 0,
  excessAnywhere: 0.9569,
  excessClose: 0.4618,
  wordsAsked: 0.0584,
  massAsked: 0.3997,
  unknown: -0.83,
  chance: 1.6932,
  logChance: 0.5512,
};
export const OFFSET = -8.0809;
