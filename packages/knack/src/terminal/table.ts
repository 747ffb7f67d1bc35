import { cut, widthOf } from "./text-width.ts";

export interface Column {
  readonly title: string;
  /** Takes what the others leave, and is cut to fit. */
  readonly flexible?: boolean;
}

const GAP = 2;

/**
 * Rows in columns. With a width, a table that fits it: the flexible column gives way first, then every column is cut.
 * Without one (a pipe) nothing is cut. Width is counted as a terminal does: a Chinese character takes two places.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string[] {
  const natural = columns.map((column, i) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[i] ?? "")), widthOf(column.title)),
  );
  const widths = width === undefined ? natural : fit(columns, natural, width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const place = widths[i] ?? 0;
        const shown = cut(cell, place);
        return i === cells.length - 1 ? shown : shown + " ".repeat(Math.max(0, place - widthOf(shown)) + GAP);
      })
      .join("")
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

function fit(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const room = width - GAP * (columns.length - 1);
  const widths = [...natural];
  const flexible = columns.findIndex((column) => column.flexible);
  const fixed = widths.reduce((sum, place, i) => (i === flexible ? sum : sum + place), 0);
  if (flexible !== -1 && room - fixed >= Math.min(20, natural[flexible] ?? 0)) {
    widths[flexible] = Math.min(natural[flexible] ?? 0, room - fixed);
    return widths;
  }
  // Narrow: the widest column gives up a place until all fit.
  while (widths.reduce((sum, place) => sum + place, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 3) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
