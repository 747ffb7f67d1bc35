/** What a whole tree of dispatches may cost, whatever its skills ask for. */
export interface DispatchLimits {
  readonly dispatches: number;
  readonly treeMs: number;
  /** One runner. */
  readonly runnerMs: number;
}

export const LIMITS: DispatchLimits = { dispatches: 256, treeMs: 4 * 3_600_000, runnerMs: 1_800_000 };

/** One for a tree; every dispatch in it takes from the same. */
export class Budget {
  readonly #limits: DispatchLimits;
  readonly #deadline: number;
  #left: number;

  constructor(limits: DispatchLimits, now: number) {
    this.#limits = limits;
    this.#left = limits.dispatches;
    // A runner that was given longer than a tree usually has gets it.
    this.#deadline = now + Math.max(limits.treeMs, limits.runnerMs);
  }

  /** Takes one dispatch, or says why there is none left. */
  take(now: number): string | undefined {
    if (this.#left === 0)
      return `This dispatch tree has used all of its ${this.#limits.dispatches} dispatches.`;
    if (now >= this.#deadline) return "This dispatch tree has used all of its time.";
    this.#left--;
    return undefined;
  }

  runnerMs(now: number): number {
    return Math.max(1, Math.min(this.#limits.runnerMs, this.#deadline - now));
  }
}
