import { IMPACT_UNIT, type TextIndex } from "../index/text-index.ts";
import type { QueryWords } from "../query/query-words.ts";
import { IN_NAME_OR_DESCRIPTION } from "../text/skill-words.ts";
import { FIT_WEIGHTS, WEIGHTS } from "./weights.ts";

/** What the index has for each candidate (row) and each word of a query (column). */
export interface LookUp {
  readonly counts: Uint16Array;
  readonly gains: Float32Array;
}

/** Both the entries of a word and the candidates are sorted by skill, so one pass per word is enough. */
export function lookUpWords(
  index: TextIndex,
  { words, weights }: QueryWords,
  candidates: readonly number[],
): LookUp {
  const counts = new Uint16Array(candidates.length * words.length);
  const gains = new Float32Array(candidates.length * words.length);
  const order = candidates.map((_, c) => c).sort((a, b) => (candidates[a] ?? 0) - (candidates[b] ?? 0));
  words.forEach((word, k) => {
    const weight = (weights[k] ?? 0) * IMPACT_UNIT;
    const { skills, counts: packed, impacts } = index.entriesOf(word);
    const end = skills.length;
    let at = 0;
    for (const c of order) {
      const skill = candidates[c] ?? 0;
      // Galloping search: fast for near and distant entries.
      let step = 1;
      while (at + step < end && (skills[at + step] ?? 0) < skill) step *= 2;
      let high = Math.min(end, at + step + 1);
      while (at < high) {
        const middle = (at + high) >> 1;
        if ((skills[middle] ?? 0) < skill) at = middle + 1;
        else high = middle;
      }
      if (at >= end) break;
      if (skills[at] !== skill) continue;
      counts[c * words.length + k] = packed[at] ?? 0;
      gains[c * words.length + k] = weight * (impacts[at] ?? 0);
    }
  });
  return { counts, gains };
}

/** What another word for a word of the query counts: it may not be what was meant. */
const RELATED = 0.3;
/** The same of what the word says in general, where a meaning counts once however many of its words a skill has. */
const RELATED_IN_GENERAL = 0.5;

/** By skill: how much of a query it has. All zero between searches. */
export class Scores {
  /** By the words of the query. */
  readonly own: Float32Array;
  /** By these and by other words for them, anywhere and in the name or description. */
  readonly meant: Float32Array;
  readonly meantClose: Float32Array;
  /** How much of what the query means is there, weighed by what its words say in general. */
  readonly general: Float32Array;
  readonly generalClose: Float32Array;
  /** The last meaning that was counted. */
  readonly #counted: Int32Array;
  readonly #countedClose: Int32Array;

  constructor(skills: number) {
    this.own = new Float32Array(skills);
    this.meant = new Float32Array(skills);
    this.meantClose = new Float32Array(skills);
    this.general = new Float32Array(skills);
    this.generalClose = new Float32Array(skills);
    this.#counted = new Int32Array(skills);
    this.#countedClose = new Int32Array(skills);
  }

  add(index: TextIndex, { words, weights, meanings }: QueryWords): void {
    const added = new Set<number>();
    meanings.forEach(({ place, background, related }, at) => {
      if (place !== undefined) {
        const weight = weights[place] ?? 0;
        this.#add(index, words[place] ?? 0, at + 1, weight, weight, background);
      }
      for (const word of related) {
        const weight = added.has(word) ? 0 : RELATED * (index.rarity[word] ?? 0);
        added.add(word);
        this.#add(index, word, at + 1, 0, weight, RELATED_IN_GENERAL * background);
      }
    });
  }

  /** In general a meaning counts once. One pass over plain numbers, because a common word has thousands of entries. */
  #add(
    index: TextIndex,
    word: number,
    meaning: number,
    ownWeight: number,
    weight: number,
    background: number,
  ): void {
    const { own, meant, meantClose, general, generalClose } = this;
    const counted = this.#counted;
    const countedClose = this.#countedClose;
    const { skills, impacts, counts } = index.entriesOf(word);
    for (let at = 0; at < skills.length; at++) {
      const skill = skills[at] as number;
      const impact = (impacts[at] as number) * IMPACT_UNIT;
      own[skill] = (own[skill] as number) + ownWeight * impact;
      meant[skill] = (meant[skill] as number) + weight * impact;
      if (counted[skill] !== meaning) {
        counted[skill] = meaning;
        general[skill] = (general[skill] as number) + background;
      }
      if (((counts[at] as number) & IN_NAME_OR_DESCRIPTION) === 0) continue;
      meantClose[skill] = (meantClose[skill] as number) + weight * impact;
      if (countedClose[skill] !== meaning) {
        countedClose[skill] = meaning;
        generalClose[skill] = (generalClose[skill] as number) + background;
      }
    }
  }

  clear(): void {
    for (const scores of [this.own, this.meant, this.meantClose, this.general, this.generalClose])
      scores.fill(0);
    this.#counted.fill(0);
    this.#countedClose.fill(0);
  }
}

/**
 * The indexes of the `count` highest scores above zero, best first; equal scores by index. `isAccepted` is called only for
 * scores that are high enough.
 */
export function topOf(
  scores: Float32Array,
  count: number,
  isAccepted?: (place: number) => boolean,
): number[] {
  const best: number[] = [];
  let least = 0;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] as number;
    if (score <= least || (isAccepted && !isAccepted(place))) continue;
    // Indexes come in order, so the first of equals stays before the others.
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] as number] as number) < score) at--;
    best.splice(at, 0, place);
    if (best.length > count) best.pop();
    if (best.length === count) least = scores[best[count - 1] ?? 0] ?? 0;
  }
  return best;
}

/** The features of ranking, and of the decision what fits, in the order of their columns in a row. */
export const FEATURES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
export const FIT_FEATURES = Object.keys(FIT_WEIGHTS) as (keyof typeof FIT_WEIGHTS)[];
export const COLUMN_OF = columnsOf(FEATURES);
export const FIT_COLUMN_OF = columnsOf(FIT_FEATURES);

function columnsOf<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, column) => [name, column])) as Record<Name, number>;
}
