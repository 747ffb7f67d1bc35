/** Lines between the first and the last change, on both sides; more are not compared. */
const MAX_LINES = 2_000;

/** Lines that are replaced by others. */
export interface Hunk {
  /** Of the first line, from 1, in the old text. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

type IsSame = (a: string | undefined, b: string | undefined) => boolean;

const isEqual: IsSame = (a, b) => a === b;

/** What differs between two lists of lines, in order. */
export function lineHunks(
  old: readonly string[],
  now: readonly string[],
  isSame: IsSame = isEqual,
): readonly Hunk[] {
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start++;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && isSame(old[oldEnd - 1], now[nowEnd - 1])) {
    oldEnd--;
    nowEnd--;
  }
  const [left, right] = [old.slice(start, oldEnd), now.slice(start, nowEnd)];
  if (Math.max(left.length, right.length) > MAX_LINES) {
    const [removed, added] = [[`${left.length} lines`], [`${right.length} lines`]];
    return [{ line: start + 1, removed, added }];
  }
  return hunksBetween(left, right, start + 1, isSame);
}

/** By the longest sequence of lines that stay. */
function hunksBetween(old: readonly string[], now: readonly string[], line: number, isSame: IsSame): Hunk[] {
  const lengths = old.map(() => new Uint16Array(now.length + 1)).concat(new Uint16Array(now.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] = isSame(old[i], now[j])
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
  const hunks: Hunk[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; i++, j++) {
    const [from, to] = [i, j];
    while ((i < old.length || j < now.length) && !(i < old.length && isSame(old[i], now[j]))) {
      if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) i++;
      else j++;
    }
    if (i > from || j > to)
      hunks.push({ line: line + from, removed: old.slice(from, i), added: now.slice(to, j) });
  }
  return hunks;
}
