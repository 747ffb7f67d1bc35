import { mayHoldSkills } from "@knack/core/internal";
import type { Entry } from "../source-tree.ts";

/** Folders further down are not searched. */
const MAX_DEPTH = 32;

/** A skill's folder in a source, with all that is in it. */
export interface FoundSkill {
  /** From the top of the source; empty for the top itself. */
  readonly path: string;
  readonly skillFile: Entry;
  /** With their paths from the skill's folder. */
  readonly files: ReadonlyMap<string, Entry>;
  /** Paths that came twice. */
  readonly twice: readonly string[];
}

/**
 * The skills of a source: folders with a `SKILL.md`, by the rules of the catalog. A skill within another comes along with it;
 * only one at the top of the source leaves the others to themselves, because then the whole source would be its folder.
 */
export function findSkills(entries: readonly Entry[], within: string): FoundSkill[] {
  const prefix = within === "" ? "" : `${within}/`;
  const found = new Map<string, Entry>();
  for (const entry of entries)
    if (entry.kind === "file" && entry.path.startsWith(prefix) && /(?:^|\/)SKILL\.md$/.test(entry.path))
      found.set(entry.path.slice(0, -"/SKILL.md".length), entry);
  const top = within;
  const folders = [...found.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const skills: string[] = [];
  const isSkill = new Set<string>();
  for (const folder of folders) {
    const above = aboveOf(folder);
    if (folder !== top && above.some((one) => one !== top && isSkill.has(one))) continue;
    if (!isReachable(folder, isSkill.has(top) ? top : undefined)) continue;
    skills.push(folder);
    isSkill.add(folder);
  }
  return gather(entries, skills.sort(), found);
}

/** Folders that the catalog does not look into hold no skills. */
function isReachable(folder: string, skillAbove: string | undefined): boolean {
  const parts = folder === "" ? [] : folder.split("/");
  if (parts.length >= MAX_DEPTH) return false;
  return parts.every((part, i) => {
    const above = parts.slice(0, i).join("/");
    const isInside =
      skillAbove !== undefined && (skillAbove === "" || `${above}/`.startsWith(`${skillAbove}/`));
    return mayHoldSkills(part, isInside);
  });
}

/** The folders above a path, from the top; no more than a skill's own folder can have above it. */
function aboveOf(path: string): string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0 && folders.length < MAX_DEPTH; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

function gather(
  entries: readonly Entry[],
  skills: readonly string[],
  heads: ReadonlyMap<string, Entry>,
): FoundSkill[] {
  const bySkill = new Map(
    skills.map((path) => [path, { files: new Map<string, Entry>(), twice: [] as string[] }]),
  );
  for (const entry of entries) {
    // The longest folder that is a skill: no skill but the one at the top has another in it.
    const owner = aboveOf(entry.path).findLast((folder) => bySkill.has(folder));
    const skill = owner === undefined ? undefined : bySkill.get(owner);
    if (owner === undefined || !skill) continue;
    const path = owner === "" ? entry.path : entry.path.slice(owner.length + 1);
    if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) continue;
    if (skill.files.has(path)) skill.twice.push(path);
    skill.files.set(path, entry);
  }
  return skills.map((path) => ({
    path,
    skillFile: heads.get(path) as Entry,
    ...(bySkill.get(path) as { files: Map<string, Entry>; twice: string[] }),
  }));
}
