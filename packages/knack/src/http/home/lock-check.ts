import { join } from "node:path";
import type { Catalog } from "@knack/core";
import { stampOf } from "@knack/core/files";
import { folderOf, lockPlaces } from "@knack/core/lock";
import type { Project } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, readPins } from "../../host/pins.ts";
import type { EventFeed } from "../event-feed.ts";

const MAX_FILES = 5;
/** An answer is used again for this many times as long as it took: to compare reads every file of every locked skill. */
const REUSED = 10;

/**
 * Compares the skills of a project with their locks, and spends at most a tenth of the time on it. An answer is never used for
 * other skills or other locks than it was made from. Readers of the feed hear of changed locks.
 */
export function lockCheck(project: Project, feed: Pick<EventFeed, "looks" | "signal">) {
  const { project: own, user } = lockPlaces(project.place.projectRoot, project.place);
  const files = [own.file, join(own.base, "skills-lock.json"), user.file];
  let known:
    | { answer: ReturnType<typeof changedSkills>; of: Catalog; stamp: string; until: number }
    | undefined;
  let seen = stampOf(files);
  feed.looks.push(() => {
    const before = seen;
    seen = stampOf(files);
    if (seen !== before) feed.signal("locks");
  });
  return (catalog: Catalog): ReturnType<typeof changedSkills> => {
    const start = performance.now();
    // Empty where a lock was written a moment ago: then it may be written again under the same stamp.
    const stamp = stampOf(files);
    if (known && stamp !== "" && known.stamp === stamp && known.of === catalog && start < known.until)
      return known.answer;
    const next = { answer: changedSkills(project), of: catalog, stamp, until: Number.POSITIVE_INFINITY };
    known = next;
    const done = (): void => {
      const end = performance.now();
      next.until = end + REUSED * (end - start);
    };
    next.answer.then(done, done);
    return next.answer;
  };
}

async function changedSkills({ place, isTrusted }: Project) {
  const { project, user } = lockPlaces(place.projectRoot, place);
  // The lock of a project that waits for trust is as unknown as its skills.
  const { pinned } = await readPins(isTrusted ? [project, user] : [user], "accepted");
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
