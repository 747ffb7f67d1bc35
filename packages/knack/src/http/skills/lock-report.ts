import type { Catalog, SkillMetadata } from "@knack/core";
import { lockFolder, lockOf, lockPlaces } from "@knack/core/internal";
import { type Difference, diffOf } from "../../host/lock-diff.ts";
import type { Project } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, readPins } from "../../host/pins.ts";

/** A stranger's update may have any number of files of any size. */
const MAX_CHANGES = 200;
const MAX_DIFF = 1_000_000;

/** Whether a skill is as it was locked, and if not, what differs: what `knack diff` says of it. */
export async function lockReport(catalog: Catalog, skill: SkillMetadata, { place }: Pick<Project, "place">) {
  const both = lockPlaces(catalog.projectRoot, place);
  const own = lockOf(skill, both);
  const folder = lockFolder(own, skill.dir);
  const { pinned } = await readPins([own]);
  const found = pinned.find((one) => folderOfPinned(one) === folder);
  if (!found || folder === undefined)
    return { state: "unlocked" as const, file: own.file, source: null, commit: null, changes: [], total: 0 };
  const all = await changesOf(found);
  const changes: Difference[] = [];
  let room = MAX_DIFF;
  for (const change of all.slice(0, MAX_CHANGES)) {
    const one: Difference = room > 0 ? await diffOf(found, change) : change;
    room -= one.diff?.length ?? 0;
    changes.push(one);
  }
  return {
    state: all.length === 0 ? ("same" as const) : ("changed" as const),
    file: found.npx ? "skills-lock.json" : own.file,
    source: found.locked?.source ?? null,
    commit: found.locked?.commit ?? null,
    changes: changes.map(({ path, kind, detail, diff }) => ({
      path,
      kind,
      detail: detail ?? null,
      diff: diff ?? null,
    })),
    total: all.length,
  };
}
