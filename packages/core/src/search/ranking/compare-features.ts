/** Features that compare a candidate with the other candidates. */
export interface Comparison<Name extends string> {
  readonly names: readonly Name[];
  /** Fills the new columns, from `at` on, from the other columns of all rows. */
  fill(rows: Float64Array, width: number, count: number, at: number): void;
}

type ColumnOf<Name extends string> = Readonly<Record<Name, number>>;

/** The value as a share of the best candidate's. */
export function shareOfBest<Name extends string>(
  compared: readonly Name[],
  columnOf: ColumnOf<Name>,
): Comparison<`${Name}/best`> {
  const columns = compared.map((name) => columnOf[name]);
  return {
    names: compared.map((name) => `${name}/best` as const),
    fill(rows, width, count, at) {
      columns.forEach((column, i) => {
        let most = 1e-9;
        for (let c = 0; c < count; c++) most = Math.max(most, rows[c * width + column] ?? 0);
        for (let c = 0; c < count; c++) rows[c * width + at + i] = (rows[c * width + column] ?? 0) / most;
      });
    },
  };
}

/** The distance from the mean, in standard deviations. */
export function deviation<Name extends string>(
  compared: readonly Name[],
  columnOf: ColumnOf<Name>,
): Comparison<`${Name}/deviation`> {
  const columns = compared.map((name) => columnOf[name]);
  return {
    names: compared.map((name) => `${name}/deviation` as const),
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

/** The logarithm of the rank by this value; equal values have equal ranks. */
export function logRank<Name extends string>(
  compared: readonly Name[],
  columnOf: ColumnOf<Name>,
): Comparison<`${Name}/rank`> {
  const columns = compared.map((name) => columnOf[name]);
  return {
    names: compared.map((name) => `${name}/rank` as const),
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
