/** Limits of one dispatch tree. */
export interface DispatchLimits {
  readonly dispatches: number;
  readonly treeMs: number;
  /** Time limit of one runner. */
  readonly runnerMs: number;
}

export const LIMITS: DispatchLimits = { dispatches: 256, treeMs: 4 * 3_600_000, runnerMs: 1_800_000 };

const NEXT_STEP = "Continue without the skill, or start a new dispatch for it.";

/** The budget of one tree, shared by all its dispatches. */
export class Budget {
  readonly #limits: DispatchLimits;
  readonly #deadline: number;
  #left: number;

  constructor(limits: DispatchLimits, now: number) {
    this.#limits = limits;
    this.#left = limits.dispatches;
    // A runner may have a longer time limit than a tree has by default.
    this.#deadline = now + Math.max(limits.treeMs, limits.runnerMs);
  }

  /** Uses one dispatch, or returns why there is none left. */
  take(now: number): string | undefined {
    if (this.#left === 0)
      return `This dispatch tree has used all of its ${this.#limits.dispatches} dispatches. ${NEXT_STEP}`;
    if (now >= this.#deadline) return `This dispatch tree has used all of its time. ${NEXT_STEP}`;
    this.#left--;
    return undefined;
  }

  runnerMs(now: number): number {
    return Math.max(1, Math.min(this.#limits.runnerMs, this.#deadline - now));
  }
}
