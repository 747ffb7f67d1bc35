import { posix } from "node:path";
import { fold } from "../shared/fold.ts";
import type { SkillMetadata } from "../skill/schema.ts";

export type SkillIndex = Readonly<ReturnType<typeof makeSkillIndex>>;

export function makeSkillIndex(skills: readonly SkillMetadata[]) {
  const byName = new Map<string, SkillMetadata[]>();
  const byFolder = new Map<string, SkillMetadata>();
  for (const skill of skills) {
    const dir = slashed(skill.dir);
    byFolder.set(dir, skill);
    for (const key of new Set([fold(skill.name), fold(posix.basename(dir))])) {
      const same = byName.get(key);
      if (same) same.push(skill);
      else byName.set(key, [skill]);
    }
  }
  /** Not just Latin letters, digits and hyphens. */
  const otherNames = new Set([...byName.keys()].filter((name) => !/^[a-z0-9_-]+$/.test(name)));
  return { byName, byFolder, otherNames };
}

export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** The nearest in the folder tree: collections refer to their own skills. `null` if several are equally near. */
export function nearestSkill(
  index: SkillIndex,
  name: string,
  from: SkillMetadata,
): SkillMetadata | null | undefined {
  const candidates = index.byName.get(fold(name));
  if (!candidates) return undefined;
  if (candidates.length === 1) return candidates[0];
  let best: SkillMetadata | null = null;
  let most = -1;
  for (const candidate of candidates) {
    const near = nearness(candidate, from, name);
    if (near === most) best = null;
    else if (near > most) {
      most = near;
      best = candidate;
    }
  }
  return best;
}

/** The number of shared folders; then a skill with the name itself wins over one whose folder has it. */
function nearness(skill: SkillMetadata, from: SkillMetadata, name: string): number {
  const a = slashed(skill.dir).split("/");
  const b = slashed(from.dir).split("/");
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared * 2 + (fold(skill.name) === fold(name) ? 1 : 0);
}
