import { weightOf } from "./claims.ts";

/** A claim of this many skills has half the weight. The catalog's size does not count: other skills change no pair. */
const HALF = 30;
/** A claim of more skills than this does not make a pair by itself; else the work would grow with their square. */
const MAX_HAVING = 100;
/** A pair needs this many common claims, because two short texts can be similar by chance. */
const MIN_SHARED = 4;

/** How many skills have each claim. */
export type Having = ReadonlyMap<string, number>;

export function countClaims(all: readonly ReadonlySet<string>[]): Having {
  const having = new Map<string, number>();
  for (const claims of all) for (const claim of claims) having.set(claim, (having.get(claim) ?? 0) + 1);
  return having;
}

/**
 * Reports every pair with similar claims: the cosine of the two sets, where a rarer claim weighs more. Pairs are found
 * by the rare claims that they share; then all shared claims count.
 */
export function similarClaims(
  all: readonly ReadonlySet<string>[],
  having: Having,
  threshold: number,
  tell: (a: number, b: number, similarity: number) => void,
): void {
  const numbers = new Map(Array.from(having.keys(), (claim, number) => [claim, number]));
  const counts = Uint32Array.from(having.values());
  const weights = Float64Array.from(having, ([claim, count]) => weightOf(claim) / (1 + count / HALF));
  const rows = all.map((claims) => Uint32Array.from(claims, (claim) => numbers.get(claim) ?? 0));
  const weigh = (row: Uint32Array, counted: (claim: number) => boolean): number =>
    row.reduce((sum, claim) => (counted(claim) ? sum + (weights[claim] ?? 0) : sum), 0);
  const totals = rows.map((row) => weigh(row, () => true));
  /** The most that a pair can share beyond the rare claims. */
  const common = rows.map((row) => weigh(row, (claim) => (counts[claim] ?? 0) > MAX_HAVING));

  const owners: number[][] = Array.from(counts, () => []);
  const shared = new Float64Array(rows.length);
  /** By claim: the last skill that had it. */
  const marks = new Int32Array(counts.length).fill(-1);
  rows.forEach((row, b) => {
    const touched: number[] = [];
    for (const claim of row) {
      marks[claim] = b;
      const count = counts[claim] ?? 0;
      if (count < 2 || count > MAX_HAVING) continue;
      for (const a of owners[claim] ?? []) {
        if (shared[a] === 0) touched.push(a);
        shared[a] = (shared[a] ?? 0) + (weights[claim] ?? 0);
      }
      owners[claim]?.push(b);
    }
    for (const a of touched) {
      const size = Math.sqrt((totals[a] ?? 0) * (totals[b] ?? 0));
      const most = (shared[a] ?? 0) + Math.min(common[a] ?? 0, common[b] ?? 0);
      shared[a] = 0;
      if (most < threshold * size) continue;
      let same = 0;
      let weight = 0;
      for (const claim of rows[a] ?? row) {
        if (marks[claim] !== b) continue;
        same++;
        weight += weights[claim] ?? 0;
      }
      const similarity = Math.min(1, weight / size);
      if (similarity >= threshold && same >= MIN_SHARED) tell(a, b, similarity);
    }
  });
}
