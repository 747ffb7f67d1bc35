/** Below this the number of skills says nothing about how rare a word is. */
const LEAST_SIZE = 1_024;

/**
 * About how many skills there are: it doubles now and then, and is the same in between. With the exact number every skill
 * that is added would move the scores of all others, and so their order, whatever it is about.
 */
export function standingSize(skillCount: number): number {
  return Math.max(LEAST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, skillCount))));
}
