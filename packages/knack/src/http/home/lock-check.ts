import { folderOf, lockPlaces } from "@knack/core/lock";
import type { Project } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, readPins } from "../../host/pins.ts";

const MAX_FILES = 5;
/** An answer is used again for this many times as long as it took: to compare reads every file of every locked skill. */
const REUSED = 10;

/** Compares the skills of a project with their locks, and spends at most a tenth of the time on it. */
export function lockCheck(project: Project): () => ReturnType<typeof changedSkills> {
  let answer: ReturnType<typeof changedSkills> | undefined;
  let oldAt = 0;
  return () => {
    const start = performance.now();
    if (answer && start < oldAt) return answer;
    // Until it is there, all who ask get this one.
    oldAt = Number.POSITIVE_INFINITY;
    answer = changedSkills(project).finally(() => {
      const end = performance.now();
      oldAt = end + REUSED * (end - start);
    });
    return answer;
  };
}

/** The skills that are not as they were locked. */
async function changedSkills({ place, isTrusted }: Project) {
  const { project, user } = lockPlaces(place.projectRoot, place);
  // The lock of a project that waits for trust is as unknown as its skills.
  const { pinned } = await readPins(isTrusted ? [project, user] : [user]);
  const changed = [];
  for (const one of pinned) {
    const all = await changesOf(one);
    if (all.length === 0) continue;
    const files = all.slice(0, MAX_FILES).map(({ path, kind }) => ({ path, kind }));
    const path = folderOf(one.place, folderOfPinned(one));
    changed.push({ skill: one.key, path, files, file_count: all.length });
  }
  return changed;
}
