import { hash } from "node:crypto";
import { acceptedFile } from "../lock/accepted-locks.ts";
import { LockGate } from "../lock/lock-gate.ts";
import { lockPlaces } from "../lock/lock-place.ts";
import { StampCache } from "../shared/file-stamp.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Collection } from "./collect.ts";
import { stamped } from "./inputs.ts";
import { MAX_SKILL_BYTES } from "./scan/skill-at.ts";
import type { CatalogSettings } from "./settings.ts";
import { markOf, stampsOf } from "./tree.ts";

const digests = new StampCache<string | undefined>();

export async function lockCheck({ config, userConfig, env, place }: CatalogSettings, { found }: Collection) {
  const isLocked = (scope: string): boolean => (scope === "repo" ? config : userConfig).skills.locked;
  const places = lockPlaces(place.projectRoot, { home: place.home, env });
  const read = stamped([places.project.file, places.user.file, acceptedFile(places.user)]);
  const view = await new LockGate(() => places).view();
  const marks = new Map(found.map((one) => [one.file.path, markOf(one)]));
  /** Why a skill must wait: its `SKILL.md` differs from the lock. Other files are checked when it is loaded. */
  const faultOf = (skill: SkillMetadata): string | undefined => {
    if (!isLocked(skill.scope)) return undefined;
    const locked = view(skill);
    if (typeof locked === "string") return locked;
    const digest = digestNow(skill.path, marks.get(skill.path));
    return digest === locked.files.get("SKILL.md") ? undefined : "its SKILL.md has changed";
  };
  return { faultOf, read };
}

/** The digest of the file that the scan has read: the same file with the same time stamps. */
function digestNow(path: string, mark: string | undefined): string | undefined {
  return digests.get(
    path,
    () => {
      const content = readRegularFile(path, MAX_SKILL_BYTES, false);
      if ("fault" in content || markOf({ stamps: stampsOf(content.stats), at: 0 }) !== mark) return undefined;
      return hash("sha256", content.bytes);
    },
    mark,
  );
}
