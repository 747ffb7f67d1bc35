/** Tables of how well the decision what fits works, with the goals. */
import { minAmong } from "../../packages/core/src/search/ranking/fit-features.ts";
import type { Kind } from "./samples.ts";

export interface Tested {
  readonly size: number;
  readonly kind: Kind;
  readonly cjk: boolean;
  /** Whether it was written for this in other words than the skill's. */
  readonly isWritten: boolean;
  /** The place of the right skill, from 0; -1 if it is not among the candidates. */
  readonly rank: number;
  /** The probability that the first result fits, that the right one does, and the first one's chance among the candidates. */
  readonly isShortMatch: boolean;
  readonly any: number;
  readonly own: number;
  readonly chance: number;
}

const GOALS: Readonly<Record<number, string>> = {
  10: "97, -, ≤ 5, ≥ 90, ≥ 90",
  50: "94, -, ≤ 5, ≥ 80, ≥ 80",
  200: "89, -, ≤ 5, ≥ 75, ≥ 75",
};
const HEAD = [
  "skills",
  "own prompts",
  "hit@1",
  "recall@5",
  "wrongly nothing",
  "(CJK)",
  "own does not fit",
  "in other words: hit@1",
  "wrongly nothing",
  "nothing: other subjects",
  "everyday",
  "goals",
];

const share = <T>(list: readonly T[], isIt: (item: T) => boolean): string =>
  list.length === 0 ? "-" : ((100 * list.filter(isIt).length) / list.length).toFixed(1);

export function reportDecision(tested: readonly Tested[]): void {
  console.log(HEAD.join(" | "));
  for (const [size, list] of [...Map.groupBy(tested, ({ size }) => size)].sort(([a], [b]) => a - b)) {
    const of = (kind: Kind): Tested[] => list.filter((one) => one.kind === kind);
    const own = of("own").filter(({ isWritten }) => !isWritten);
    const written = of("own").filter(({ isWritten }) => isWritten);
    const isNothing = ({ any, isShortMatch }: Tested): boolean => any < minAmong(size) && !isShortMatch;
    const row = [
      size,
      own.length,
      share(own, ({ rank }) => rank === 0),
      share(own, ({ rank }) => rank >= 0 && rank < 5),
      share(own, isNothing),
      share(
        own.filter(({ cjk }) => cjk),
        isNothing,
      ),
      share(
        own.filter(({ rank }) => rank >= 0 && rank < 10),
        ({ own: chance, isShortMatch }) => chance < minAmong(size) && !isShortMatch,
      ),
      share(written, ({ rank }) => rank === 0),
      share(written, isNothing),
      share(of("other"), isNothing),
      share(of("everyday"), isNothing),
      GOALS[size] ?? "",
    ];
    console.log(row.join(" | "));
  }
}

/** Of first results with about this score, how many are right. Own prompts and those of other subjects count the same. */
export function reportCalibration(tested: readonly Tested[]): void {
  const sizes = [...new Set(tested.map(({ size }) => size))].sort((a, b) => a - b);
  console.log(["score", ...sizes.map((size) => `${size} skills`)].join(" | "));
  for (let from = 0; from < 10; from++) {
    const cells = sizes.map((size) => {
      const near = tested.filter((one) => {
        const score = one.any * one.chance;
        return one.size === size && score >= from / 10 && (score < (from + 1) / 10 || from === 9);
      });
      return near.length < 20 ? "-" : `${share(near, ({ rank }) => rank === 0)} of ${near.length}`;
    });
    console.log([`${(from / 10).toFixed(1)}–${((from + 1) / 10).toFixed(1)}`, ...cells].join(" | "));
  }
}
