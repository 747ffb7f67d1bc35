/**
 * The fields of a skill, from the most telling to the least. Anchors are what other skills of the same folder say about
 * this one.
 */
export const FIELD_COUNT = 5;
// 0 is the name.
export const DESCRIPTION = 1;
export const HEADINGS = 2;
export const BODY = 3;
export const ANCHORS = 4;

/** How often a skill has a word, by field, in sixteen bits; the highest count of a field means "or more". */
const SHIFT = [0, 1, 4, 7, 12] as const;
const MOST = [1, 7, 7, 31, 15] as const;
/** The bits of a count that say whether the name or the description has the word. */
export const IN_NAME_OR_DESCRIPTION = 0b1111;

export function countIn(packed: number, field: number): number {
  return (packed >>> (SHIFT[field] as number)) & (MOST[field] as number);
}

/** The counts with one more in a field. */
export function countOneMore(packed: number, field: number): number {
  return countIn(packed, field) < (MOST[field] as number) ? packed + (1 << (SHIFT[field] as number)) : packed;
}
