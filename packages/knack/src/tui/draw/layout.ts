/** A terminal's size in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What there is room for, and how much. */
export interface Layout {
  readonly hasScopes: boolean;
  readonly hasStatus: boolean;
  readonly hasKeys: boolean;
  /** Lines for the list, or for the preview that replaces it. */
  readonly bodyRows: number;
  readonly listColumns: number;
  /** The preview beside the list; 0 where it has no room there. */
  readonly sideColumns: number;
}

/** From here on list and preview are side by side. */
const WIDE = 100;
const DIVIDER = 3;

/** In a low terminal the list comes first: the line of keys gives way, then the scopes, then the status. */
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

/** The first line to show, so that the chosen one is in view and the rest moves as little as it can. */
export function firstInView(chosen: number, before: number, room: number, length: number): number {
  const last = Math.max(0, length - room);
  const first = Math.min(Math.max(before, chosen - room + 1), chosen);
  return Math.max(0, Math.min(first, last));
}
