import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "../../store/store.ts";
import type { Boss, TakenJob } from "../boss.ts";
import { tell } from "../signals.ts";

const GATHER_MS = 5;

interface Done {
  readonly lane: string;
  readonly job: TakenJob;
}

/** Completes the jobs of runs that are recorded, many at once, and tells who follows them. */
export class Completer {
  readonly #store: Store;
  readonly #boss: Boss;
  #waiting: Done[] = [];
  #working: Promise<void> | undefined;

  constructor(store: Store, boss: Boss) {
    this.#store = store;
    this.#boss = boss;
  }

  add(lane: string, job: TakenJob): void {
    this.#waiting.push({ lane, job });
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Resolves when nothing is left to complete. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const done = this.#waiting;
      this.#waiting = [];
      try {
        await tell(this.#store.db, { kind: "done", names: done.map(({ job }) => job.queueId) });
        for (const [lane, some] of Map.groupBy(done, (one) => one.lane))
          await this.#boss.complete(
            lane,
            some.map(({ job }) => job),
          );
      } catch {
        // The database was away for long. The runs are recorded, and whoever gets such a job again only completes it.
      }
      await wait(GATHER_MS);
    }
  }
}
