/** Where a record's payload has the digests of the rows that were written with it. */
export const ROWS = "$rows";

/** A row and its digest when the record was written; `null` where it was removed. */
export type RowMark = readonly [table: string, key: readonly string[], sha256: string | null];

/** The digests that a record carries; `undefined` where it was written by a version that kept none. */
export function rowMarksOf(payload: unknown): readonly RowMark[] | undefined {
  const marks = (payload as Record<string, unknown> | null)?.[ROWS];
  if (!Array.isArray(marks)) return undefined;
  return marks.filter(isMark);
}

function isMark(mark: unknown): mark is RowMark {
  if (!Array.isArray(mark) || mark.length !== 3) return false;
  const [table, key, sha256] = mark as unknown[];
  return typeof table === "string" && Array.isArray(key) && (sha256 === null || typeof sha256 === "string");
}

/** The payload as its writer gave it. */
export function withoutRowMarks(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null || !(ROWS in payload)) return payload;
  const { [ROWS]: _, ...rest } = payload as Record<string, unknown>;
  return rest;
}
