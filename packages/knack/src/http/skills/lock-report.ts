import type { Catalog, SkillMetadata } from "@knack/core";
import { lockFolder, lockOf, lockPlaces } from "@knack/core/internal";
import { diffOf } from "../../host/lock-diff.ts";
import type { Project } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, readPins } from "../../host/pins.ts";

/** Whether a skill is as it was locked, and if not, what differs: what `knack diff` says of it. */
export async function lockReport(catalog: Catalog, skill: SkillMetadata, { place }: Pick<Project, "place">) {
  const both = lockPlaces(catalog.projectRoot, place);
  const own = lockOf(skill, both);
  const folder = lockFolder(own, skill.dir);
  const { pinned } = await readPins([own]);
  const found = pinned.find((one) => folderOfPinned(one) === folder);
  if (!found || folder === undefined)
    return { state: "unlocked" as const, file: own.file, source: null, commit: null, changes: [] };
  const changes = await Promise.all((await changesOf(found)).map((change) => diffOf(found, change)));
  return {
    state: changes.length === 0 ? ("same" as const) : ("changed" as const),
    file: found.npx ? "skills-lock.json" : own.file,
    source: found.locked?.source ?? null,
    commit: found.locked?.commit ?? null,
    changes: changes.map(({ path, kind, detail, diff }) => ({
      path,
      kind,
      detail: detail ?? null,
      diff: diff ?? null,
    })),
  };
}
