import { compareText } from "../shared/compare-text.ts";
import type { SkillDigest } from "./digest-skill.ts";
import type { LockedSkill } from "./skill-lock.ts";

/** How a file differs from the lock. */
export interface FileChange {
  /** From the skill's folder, with slashes; empty where it is about the folder itself. */
  readonly path: string;
  /** `missing` with an empty path: the folder itself. `unknown`: it has no digest, so nobody can say. */
  readonly kind: "changed" | "missing" | "extra" | "link" | "unknown";
  /** What it is instead, where that is not a regular file. */
  readonly detail?: string;
}

/** How a skill differs from its lock: empty where every byte is as it was. In the order of the paths. */
export function compareDigest(locked: Pick<LockedSkill, "files">, now: SkillDigest): FileChange[] {
  const changes: FileChange[] = now.faults.map(({ path, kind, detail }) => {
    if (kind === "missing") return { path, kind };
    return { path, kind: kind === "link" ? kind : "unknown", detail };
  });
  const isTold = new Set(changes.map(({ path }) => path));
  // Where the walk ended early, or saw no folder, the rest was not looked at.
  const isWhole = !now.faults.some(({ path, kind }) => kind === "limit" || path === "");
  for (const [path, sha256] of locked.files) {
    const found = now.files.get(path);
    if (found === undefined && isWhole && !isTold.has(path)) changes.push({ path, kind: "missing" });
    else if (found !== undefined && found !== sha256) changes.push({ path, kind: "changed" });
  }
  for (const path of now.files.keys()) if (!locked.files.has(path)) changes.push({ path, kind: "extra" });
  return changes.sort((a, b) => compareText(a.path, b.path));
}
