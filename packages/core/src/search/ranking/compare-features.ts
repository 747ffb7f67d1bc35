/** Columns of features that are compared between the candidates: their names and where they stand. */
export interface Comparison {
  readonly names: readonly string[];
  /** From the columns of the same row and of all others to the new columns, from `at` on. */
  fill(rows: Float64Array, width: number, count: number, at: number): void;
}

/** The share of the best candidate's value. */
export function shareOfBest(columns: readonly number[], names: readonly string[]): Comparison {
  return {
    names: columns.map((column) => `${names[column]}/best`),
    fill(rows, width, count, at) {
      columns.forEach((column, i) => {
        let most = 1e-9;
        for (let c = 0; c < count; c++) most = Math.max(most, rows[c * width + column] ?? 0);
        for (let c = 0; c < count; c++) rows[c * width + at + i] = (rows[c * width + column] ?? 0) / most;
      });
    },
  };
}

/** How far above the others, in standard deviations. */
export function deviation(columns: readonly number[], names: readonly string[]): Comparison {
  return {
    names: columns.map((column) => `${names[column]}/deviation`),
    fill(rows, width, count, at) {
      columns.forEach((column, i) => {
        let mean = 0;
        for (let c = 0; c < count; c++) mean += (rows[c * width + column] ?? 0) / count;
        let square = 0;
        for (let c = 0; c < count; c++) square += ((rows[c * width + column] ?? 0) - mean) ** 2 / count;
        const spread = Math.sqrt(square) || 1;
        for (let c = 0; c < count; c++)
          rows[c * width + at + i] = ((rows[c * width + column] ?? 0) - mean) / spread;
      });
    },
  };
}

/** The logarithm of the rank by this value alone; equal values have equal ranks. */
export function logRank(columns: readonly number[], names: readonly string[]): Comparison {
  return {
    names: columns.map((column) => `${names[column]}/rank`),
    fill(rows, width, count, at) {
      const values = new Float64Array(count);
      columns.forEach((column, i) => {
        for (let c = 0; c < count; c++) values[c] = -(rows[c * width + column] ?? 0);
        values.sort();
        for (let c = 0; c < count; c++)
          rows[c * width + at + i] = Math.log(1 + values.indexOf(-(rows[c * width + column] ?? 0)));
      });
    },
  };
}
