/** The quick suite tries a twentieth of a property's cases, within these bounds: enough to see that it still holds. */
const QUICK = { share: 1 / 20, least: 5, most: 100 };

const { KNACK_FUZZ_RUNS: runs } = process.env;

/** `npm run test:full`: every case of every property, and bounds on time. */
export const isFullSuite: boolean = runs === "full";

/** A test with chance prints its seed and has the same each time, so that the same commit gives the same result. */
export function fixedSeed(): number {
  return Number(process.env.KNACK_SEED ?? 20_261_116);
}

/**
 * How many cases a property generates: a few in the quick suite, `full` in the full one, or as many as `KNACK_FUZZ_RUNS` says.
 * `cost` says how much longer one case takes than usual, so that a large number stays bearable.
 */
export function cases(full: number, cost = 1): number {
  if (isFullSuite) return full;
  if (runs !== undefined) return Math.max(1, Math.ceil(Number(runs) / cost));
  return Math.min(full, Math.max(QUICK.least, Math.min(QUICK.most, Math.round(full * QUICK.share))));
}
