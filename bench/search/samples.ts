/**
 * What a search finds in catalogs of random skills, for three kinds of requests: prompts for one of the skills, prompts for other
 * skills, and everyday requests that no skill is for.
 */
import { chancesOf } from "../../packages/core/src/search/ranking/fit-features.ts";
import { type Candidates, type Corpus, type Prompt, randomNumbers, shuffled } from "./corpus.ts";
import { sumsOf } from "./learn-ranking.ts";

export type Kind = "own" | "other" | "everyday";

export interface Asked {
  readonly size: number;
  readonly kind: Kind;
  /** The prompt, or `undefined` for an everyday request. */
  readonly prompt: Prompt | undefined;
  /** By model of the ranking: what was found. */
  readonly found: readonly Found[];
}

export interface Found {
  /** The features of the first result for the decision whether it fits; `undefined` if there is none. */
  readonly best: Float64Array | undefined;
  /** Whether it fits because the query is short. */
  readonly isShortMatch: boolean;
  readonly chance: number;
  /** The place of the right skill from 0, -1 if it is not among the candidates, and its features. */
  readonly rank: number;
  readonly own: Float64Array | undefined;
  /** Its chance as a share of the best one's. */
  readonly ofBest: number;
}

export interface Draw {
  readonly corpus: Corpus;
  readonly prompts: readonly Prompt[];
  readonly requests: readonly string[];
  /** How many samples of each size. */
  readonly plan: readonly (readonly [size: number, times: number])[];
  readonly seed: number;
  /** The ranking weights to try for a request; several, to leave out what they were learnt from. */
  readonly weightsFor: (prompt: Prompt | undefined, i: number) => readonly Float64Array[];
}

const OTHER = 30;
const EVERYDAY = 30;

/**
 * A catalog of random skills for prompts of other subjects and everyday requests. For own prompts, one in twenty of its skills, at
 * least two, is replaced by a skill that has prompts.
 */
export function drawSamples({ corpus, prompts, requests, plan, seed, weightsFor }: Draw): Asked[] {
  const random = randomNumbers(seed);
  const everybody = corpus.skills.map((_, i) => i);
  const golds = [...new Set(prompts.map(({ gold }) => corpus.numberOf(gold)))];
  const asked: Asked[] = [];
  for (const [size, times] of plan) {
    for (let time = 0; time < times; time++) {
      const isAll = size >= everybody.length;
      const drawn = isAll ? everybody : shuffled(everybody, random).slice(0, size);
      const chosen = shuffled(golds, random).slice(0, Math.max(2, Math.round(size / 20)));
      const mixed = isAll ? drawn : [...chosen, ...drawn.filter((i) => !chosen.includes(i))].slice(0, size);
      const own = mixed.toSorted((a, b) => a - b);
      const search = corpus.searchOver(own);
      const places = new Map(own.map((number, place) => [number, place]));
      for (const prompt of prompts) {
        const place = places.get(corpus.numberOf(prompt.gold));
        if (place === undefined) continue;
        asked.push({
          size,
          kind: "own",
          prompt,
          found: look(search, prompt.query, place, weightsFor(prompt, 0)),
        });
      }
      const others = isAll ? search : corpus.searchOver(drawn.toSorted((a, b) => a - b));
      const names = new Set(drawn.map((number) => corpus.skills[number]?.name));
      const foreign = prompts.filter(({ name }) => !names.has(name));
      for (const prompt of shuffled(foreign, random).slice(0, isAll ? 0 : OTHER))
        asked.push({
          size,
          kind: "other",
          prompt,
          found: look(others, prompt.query, -1, weightsFor(prompt, 0)),
        });
      const numbered = requests.map((query, i) => ({ query, i }));
      for (const { query, i } of shuffled(numbered, random).slice(0, isAll ? requests.length : EVERYDAY))
        asked.push({
          size,
          kind: "everyday",
          prompt: undefined,
          found: look(others, query, -1, weightsFor(undefined, i)),
        });
    }
  }
  return asked;
}

function look(
  search: (query: string) => Candidates,
  query: string,
  gold: number,
  models: readonly Float64Array[],
): Found[] {
  const { candidates, rows, fitRowFor, isShortMatch } = search(query);
  if (candidates.length === 0)
    return models.map(() => ({
      best: undefined,
      isShortMatch: false,
      chance: 0,
      rank: -1,
      own: undefined,
      ofBest: 0,
    }));
  const right = candidates.indexOf(gold);
  return models.map((weights) => {
    const sums = sumsOf(rows, candidates.length, weights);
    const chances = chancesOf(sums);
    const chance = Math.max(...chances);
    const best = fitRowFor(chances.indexOf(chance), chance);
    return {
      best,
      isShortMatch: isShortMatch(best),
      chance,
      rank: right < 0 ? -1 : sums.filter((sum) => sum > (sums[right] ?? 0)).length,
      own: right < 0 ? undefined : fitRowFor(right, chance),
      ofBest: right < 0 ? 0 : (chances[right] ?? 0) / chance,
    };
  });
}
