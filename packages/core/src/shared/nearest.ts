import { editDistance } from "./edit-distance.ts";

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
