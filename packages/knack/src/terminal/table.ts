import type { GlobalOptions } from "../options.ts";
import { paint, print, printJson, remark, terminalWidth } from "./output.ts";
import { cut, widthOf } from "./text-width.ts";
import { escapeControl } from "./visible.ts";

export interface Column {
  readonly title: string;
  /** Takes what the others leave, and is cut to fit. */
  readonly flexible?: boolean;
  /** Of the flexible column: how much it gets, if it needs it, before others are left out. */
  readonly least?: number;
  /** Left out where the table does not fit: the column with 1 first. Without a number it stays. */
  readonly drop?: number;
}

export interface CellColumn<T> extends Column {
  readonly cell: (row: T) => string;
}

/** A listing for a person: the bold titles, then a line a row, all fitting the terminal. No rows make no lines. */
export function tableLines<T>(rows: readonly T[], columns: readonly CellColumn<T>[]): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => columns.map(({ cell }) => escapeControl(cell(row))));
  const [head = "", ...lines] = table(columns, cells, terminalWidth());
  return [paint("bold", head), ...lines];
}

/** What a command lists: as JSON, or as a table with a summary on standard error. */
export function showTable<T>(
  { json }: GlobalOptions,
  report: () => object,
  rows: readonly T[],
  columns: readonly CellColumn<T>[],
  summary: string,
): void {
  if (json) printJson(report());
  else {
    print(tableLines(rows, columns).join("\n"));
    remark(summary);
  }
}

/** What is known of one thing, a field a line: its bold name, then the value. */
export function fieldLines(fields: readonly (readonly string[])[], indent = ""): string[] {
  const width = Math.max(...fields.map(([name = ""]) => name.length));
  return fields.map(([name = "", value = ""]) => {
    const title = paint("bold", escapeControl(name).padEnd(width));
    return `${indent}${title}  ${escapeControl(value)}`;
  });
}

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", paint("bold", title), ...lines.map((line) => `  ${line}`)] : [];
}

const GAP = 2;
const COMFORTABLE = 20;
/** With less, the flexible column says nothing any more. */
const LEAST = 11;

/**
 * Rows in columns. With a width, a table that fits it: the flexible column gives way first, then columns are left out, and what
 * stays is cut last, so that a name can be read as long as it fits at all. Without a width (a pipe) nothing is cut or left out.
 * Width is counted as a terminal does: a Chinese character takes two places.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string[] {
  const all = columns.map((column, at): Sized => {
    const natural = rows.reduce(
      (widest, row) => Math.max(widest, widthOf(row[at] ?? "")),
      widthOf(column.title),
    );
    return { column, at, width: natural };
  });
  const fitting = width === undefined ? all : fit(all, width);
  const line = (cells: readonly string[]): string =>
    fitting
      .map(({ at, width: place }, i) => {
        const shown = cut(cells[at] ?? "", place);
        return i === fitting.length - 1
          ? shown
          : shown + " ".repeat(Math.max(0, place - widthOf(shown)) + GAP);
      })
      .join("")
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

interface Sized {
  readonly column: Column;
  readonly at: number;
  readonly width: number;
}

function fit(all: readonly Sized[], width: number): readonly Sized[] {
  const order = all
    .filter(({ column }) => column.drop !== undefined)
    .sort((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0));
  const least = all.find(({ column }) => column.flexible)?.column.least ?? COMFORTABLE;
  let left = all;
  for (const next of [undefined, ...order]) {
    left = left.filter((sized) => sized !== next);
    const fitting = withFlexible(left, width, least);
    if (fitting) return fitting;
  }
  const fixed = left.filter(({ column }) => !column.flexible);
  return withFlexible(left, width, LEAST) ?? withFlexible(fixed, width, 0) ?? squeezed(fixed, width);
}

/** The columns with what is left for the flexible one; `undefined` where that is too little. */
function withFlexible(columns: readonly Sized[], width: number, least: number): readonly Sized[] | undefined {
  const room = columns.reduce(
    (left, sized) => left - (sized.column.flexible ? 0 : sized.width),
    width - GAP * (columns.length - 1),
  );
  const flexible = columns.find(({ column }) => column.flexible);
  if (room < Math.min(least, flexible?.width ?? 0)) return undefined;
  return columns.map((sized) =>
    sized === flexible ? { ...sized, width: Math.min(sized.width, room) } : sized,
  );
}

function squeezed(columns: readonly Sized[], width: number): readonly Sized[] {
  const room = width - GAP * (columns.length - 1);
  const widths = columns.map((sized) => sized.width);
  while (widths.reduce((sum, place) => sum + place, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 3) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((sized, i) => ({ ...sized, width: widths[i] ?? 0 }));
}
