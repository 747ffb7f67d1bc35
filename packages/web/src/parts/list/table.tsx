import type { ComponentChildren } from "preact";
import "./table.css";

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

/** A short table; a long one is a List. */
export function Table<T>({
  columns,
  rows,
  keyOf,
  label,
}: {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly label: string;
}) {
  return (
    // Where it is wider than its place it scrolls, also with the keyboard.
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? "table-number" : ""}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={isNumber ? "table-number" : ""}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
