/**
 * The fields of a skill. Beside are the Markdown files in its folder; anchors are what other skills in the same folder say about
 * this one.
 */
export const FIELD_COUNT = 6;
// 0 is the name.
export const DESCRIPTION = 1;
export const HEADINGS = 2;
export const BODY = 3;
export const BESIDE = 4;
export const ANCHORS = 5;

/** How often a skill has a word, by field, in sixteen bits; the highest count of a field means "or more". */
const SHIFT = [0, 1, 4, 7, 11, 13] as const;
const MOST = [1, 7, 7, 15, 3, 7] as const;
/** The bits of a count for name and description. */
export const IN_NAME_OR_DESCRIPTION = 0b1111;
/** The same for all of the `SKILL.md`. */
export const IN_OWN_TEXT = 0b111_1111_1111;

/** The counts in the body and beside it as one number of six bits. */
export function countInText(packed: number): number {
  return (packed >>> SHIFT[BODY]) & 0b11_1111;
}

export function countIn(packed: number, field: number): number {
  return (packed >>> (SHIFT[field] as number)) & (MOST[field] as number);
}

/** The counts with one added in a field. */
export function countOneMore(packed: number, field: number): number {
  return countIn(packed, field) < (MOST[field] as number) ? packed + (1 << (SHIFT[field] as number)) : packed;
}
