import { type Catalog, SkillError } from "@knack/core";
import { type LockPlace, type LockPlaces, lockFolder, lockOf, lockPlaces, quote } from "@knack/core/internal";
import type { Project } from "../../host/open-project.ts";
import { folderOfPinned, type Pinned, readPins } from "../../host/pins.ts";

/** The locks of a project and its user, and the skills that they are about. */
export interface Locks {
  readonly catalog: Catalog;
  readonly both: LockPlaces;
  /** Those that were asked for. */
  readonly places: readonly LockPlace[];
  readonly pinned: readonly Pinned[];
  /** Whether this lock exists. */
  has(place: LockPlace): boolean;
}

/** Reads the project's lock and the user's; `user`: the user's alone. */
export async function openLocks(project: Project, user = false): Promise<Locks> {
  const catalog = await project.catalog({ enabled: true });
  const both = lockPlaces(catalog.projectRoot, project.place);
  const places = user ? [both.user] : [both.project, both.user];
  const { pinned, existing } = await readPins(places);
  return { catalog, both, places, pinned, has: (place) => existing.has(place) };
}

/** The entries that a name, a path or a key of the lock means. Throws `SkillError` where there is none. */
export function findPinned(locks: Locks, reference: string): readonly Pinned[] {
  const { catalog, pinned, both } = locks;
  const found = catalog.candidates(reference).map(({ skill }) => skill);
  const wanted = new Set(
    found.map((skill) => {
      const place = lockOf(skill, both);
      return `${place.file}\n${lockFolder(place, skill.dir)}`;
    }),
  );
  const meant = pinned.filter((one) => wanted.has(`${one.place.file}\n${folderOfPinned(one)}`));
  if (meant.length > 0) return meant;
  const byKey = pinned.filter(({ key }) => key === reference);
  if (byKey.length > 0) return byKey;
  if (found.length > 0)
    throw new SkillError(
      "NOT_FOUND",
      `${quote(reference)} is not locked; "knack lock ${reference}" locks it.`,
    );
  throw new SkillError(
    "NOT_FOUND",
    `No skill and no lock entry is called ${quote(reference)}. "knack list" shows all skills.`,
  );
}
