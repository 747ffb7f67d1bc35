import { type FileChange, folderOf, lockPlaces } from "@knack/core/lock";
import type { Project } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, readPins } from "../../host/pins.ts";

/** A skill that is not as it was locked. */
export interface LockedChange {
  readonly skill: string;
  readonly path: string;
  readonly files: readonly Pick<FileChange, "path" | "kind">[];
  readonly file_count: number;
}

const MAX_FILES = 5;
/** An answer is used again for this many times as long as it took: to compare reads every file of every locked skill. */
const REUSED = 10;

/** Compares the skills with their locks, and spends at most a tenth of the time on it. */
export class LockCheck {
  readonly #project: Project;
  #answer: Promise<readonly LockedChange[]> | undefined;
  #oldAt = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  changes(): Promise<readonly LockedChange[]> {
    const start = performance.now();
    if (this.#answer && start < this.#oldAt) return this.#answer;
    // Until it is there, all who ask get this one.
    this.#oldAt = Number.POSITIVE_INFINITY;
    this.#answer = this.#compare().finally(() => {
      const end = performance.now();
      this.#oldAt = end + REUSED * (end - start);
    });
    return this.#answer;
  }

  async #compare(): Promise<readonly LockedChange[]> {
    const { place, isTrusted } = this.#project;
    const { project, user } = lockPlaces(place.projectRoot, place);
    // The lock of a project that waits for trust is as unknown as its skills.
    const { pinned } = await readPins(isTrusted ? [project, user] : [user]);
    const changed: LockedChange[] = [];
    for (const one of pinned) {
      const files = await changesOf(one);
      if (files.length === 0) continue;
      const shown = files.slice(0, MAX_FILES).map(({ path, kind }) => ({ path, kind }));
      const path = folderOf(one.place, folderOfPinned(one));
      changed.push({ skill: one.key, path, files: shown, file_count: files.length });
    }
    return changed;
  }
}
