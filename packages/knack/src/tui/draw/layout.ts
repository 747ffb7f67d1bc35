/** A terminal's size in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Which parts fit, and their sizes. */
export interface Layout {
  readonly hasScopes: boolean;
  readonly hasStatus: boolean;
  readonly hasKeys: boolean;
  /** Lines for the list, or for the preview that replaces it. */
  readonly bodyRows: number;
  readonly listColumns: number;
  /** Columns of the preview beside the list; 0 if it does not fit. */
  readonly sideColumns: number;
}

/** From this width on, list and preview are side by side. */
const WIDE = 100;
const DIVIDER = 3;

/** In a low terminal the list comes first: the line of keys is hidden first, then the scopes, then the status. */
export function layoutOf({ columns, rows }: Size): Layout {
  const hasKeys = rows >= 7;
  const hasScopes = rows >= 6;
  const hasStatus = rows >= 5;
  const around = 1 + [hasKeys, hasScopes, hasStatus].filter(Boolean).length;
  const sideColumns = columns >= WIDE ? Math.floor(columns * 0.5) : 0;
  return {
    hasScopes,
    hasStatus,
    hasKeys,
    bodyRows: Math.max(1, rows - around),
    listColumns: sideColumns > 0 ? columns - sideColumns - DIVIDER : columns,
    sideColumns,
  };
}

/** The first line to show, so that the selected one is visible and the list scrolls as little as possible. */
export function firstInView(chosen: number, before: number, room: number, length: number): number {
  const last = Math.max(0, length - room);
  const first = Math.min(Math.max(before, chosen - room + 1), chosen);
  return Math.max(0, Math.min(first, last));
}
