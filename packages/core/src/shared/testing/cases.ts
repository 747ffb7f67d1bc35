/**
 * Which share of a property's cases a suite tries, and within which bounds. Both try the same cases each time, and those find
 * nothing new: the quick suite sees that a property still holds, the full one does so thoroughly, `npm run fuzz` searches.
 */
const QUICK = { share: 1 / 20, least: 5, most: 100 };
const FULL = { share: 1 / 4, least: 100, most: 2_000 };

const { KNACK_FUZZ_RUNS: runs } = process.env;

/** `npm run test:full`: more cases of every property, and bounds on time. */
export const isFullSuite: boolean = runs === "full";

/** A test with chance prints its seed and has the same each time, so that the same commit gives the same result. */
export function fixedSeed(): number {
  return Number(process.env.KNACK_SEED ?? 20_261_116);
}

/**
 * How many cases a property generates: a share of `full`, or as many as `KNACK_FUZZ_RUNS` says.
 * `cost` says how much longer one case takes than usual, so that a large number stays bearable.
 */
export function cases(full: number, cost = 1): number {
  if (runs !== undefined && !isFullSuite) return Math.max(1, Math.ceil(Number(runs) / cost));
  const { share, least, most } = isFullSuite ? FULL : QUICK;
  return Math.min(full, Math.max(least, Math.min(most, Math.round(full * share))));
}
