/** Longer words are not compared. */
const MAX_LENGTH = 64;
/** Three rows of the table, used again: a query is compared with thousands of words. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_LENGTH + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/** The number of edits, a swap of neighbours being one; `most + 1` where it takes more. Only cells near the diagonal count. */
export function editDistance(a: string, b: string, most: number): number {
  const none = most + 1;
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > MAX_LENGTH) return none;
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, none);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    // The cells beside the band are read by the next row.
    row[from - 1] = from === 1 ? Math.min(i, none) : none;
    if (to < b.length) row[to + 1] = none;
    let least = row[from - 1] ?? none;
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let slips = Math.min(
        (last[j - 1] ?? none) + (same ? 0 : 1),
        (last[j] ?? none) + 1,
        (row[j - 1] ?? none) + 1,
        none,
      );
      const isSwap =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) slips = Math.min(slips, (beforeLast[j - 2] ?? none) + 1);
      row[j] = slips;
      least = Math.min(least, slips);
    }
    if (least > most) return none;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length] ?? none;
}

/** The known word that a wrong one most likely meant, or `undefined` if none is within this many edits. */
export function nearest(
  word: string,
  known: readonly string[],
  maxSlips = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestDistance = maxSlips + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance - 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
