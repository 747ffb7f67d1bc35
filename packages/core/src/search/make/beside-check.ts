import type { TextIndex } from "../index/text-index.ts";
import { isStateChanged } from "./beside.ts";

/** How many skills are checked at a time, and how often at most. */
const AT_A_TIME = 1_000;
const PAUSE_MS = 1_000;

/**
 * Notices changes of the Markdown files beside skills. A search does not wait for a look at all files of a large catalog: each
 * search checks some skills, the next one goes on from there.
 */
export class BesideCheck {
  readonly #folders: readonly string[];
  #next: number;
  #pauseEnds = 0;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
    // Another process begins elsewhere.
    this.#next = (Math.floor(Date.now() / PAUSE_MS) * AT_A_TIME) % Math.max(1, folders.length);
  }

  /** Whether a change was noticed. */
  hasChanged({ besideOf }: TextIndex): boolean {
    if (performance.now() < this.#pauseEnds) return false;
    const count = this.#folders.length;
    const end = Math.min(AT_A_TIME, count);
    let isChanged = false;
    for (let i = 0; i < end && !isChanged; i++) {
      isChanged = isStateChanged(this.#folders[this.#next] ?? "", besideOf(this.#next));
      this.#next = (this.#next + 1) % count;
    }
    this.#pauseEnds = performance.now() + PAUSE_MS;
    return isChanged;
  }
}
