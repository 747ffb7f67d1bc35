import type { SearchResult } from "@knack/core";
import { fold } from "@knack/core/text";

/** Words of a request in a skill's name or description, its name and a high score are each a point; so many are asked for. */
const ENOUGH = 3;
/** From this score on, a skill is far before the others. */
const HIGH_SCORE = 0.65;
/** A word is in a name if its beginning is: "prices" in "pricing". */
const STEM = 4;

/**
 * Whether a skill that fits may be told of unasked. A model that searches gets what fits, and decides; a hook puts it before the
 * model at every prompt, so it needs more than a word or two that happen to be there too. `bench/hook` has what this costs.
 */
export function isEvident({ reason, matched, score, skill }: SearchResult): boolean {
  if (reason === "body_match") return false;
  if (reason !== "token_overlap") return true;
  // A corrected word is a guess.
  const words = new Set(matched.filter((word) => !word.includes("→")).map(fold));
  if (words.size === 0) return false;
  const name = fold(skill.name);
  const isInName = [...words].some((word) => isWord(word) && name.includes(word.slice(0, STEM)));
  return words.size + Number(isInName) + Number(score >= HIGH_SCORE) >= ENOUGH;
}

/** "to" is in many names; two characters of Chinese or Japanese are a word. */
const isWord = (word: string): boolean => word.length > 2 || /[^\p{ASCII}]/u.test(word);
