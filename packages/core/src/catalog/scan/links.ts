import { realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { isOlderThanTick } from "../../shared/file-stamp.ts";
import { isInside } from "../../shared/paths.ts";
import { DIALECTS, type DialectName } from "../../skill/dialects.ts";
import { type Folder, isSkillFolder, type Tree } from "../tree.ts";
import type { Root } from "./roots.ts";
import { mayHoldSkills } from "./walk.ts";

/** A symbolic link met in a tree. */
export interface Link {
  readonly name: string;
  readonly path: string;
  /** The folder that it is in. */
  readonly folder: string;
  /** How far below the top of its tree that folder is. */
  readonly depth: number;
}

/** Where a link leads, as far as the catalog cares, and what there is to say about it. */
export interface Destination {
  readonly target: {
    readonly real: string;
    readonly stats: Stats;
    readonly kind: "folder" | "skill-file";
  } | null;
  /** Whether the catalog may look there. */
  readonly mayFollow: boolean;
  readonly fault: Fault | null;
  /** What `seenAt` says of it. */
  readonly seen: string;
}

/** A link as a look saw it. */
export interface SeenLink {
  readonly path: string;
  /** What it led to; empty where only another look tells. */
  readonly seen: string;
  /** The real path of the folder that it led to, where that is one. */
  readonly folder: string | undefined;
}

/** What a link leads to, as a text that differs as soon as that is another. */
export function seenAt(path: string): string {
  try {
    const real = realpathSync.native(path);
    return seenText(real, statSync(real));
  } catch (error) {
    return systemCode(error);
  }
}

function seenText(real: string, stats: Stats): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  if (stats.isDirectory()) return `${real}\n${dev}:${ino}`;
  const isOld = isOlderThanTick(mtimeMs, ctimeMs, Date.now());
  return isOld ? `${real}\n${[dev, ino, size, mtimeMs, ctimeMs].join(":")}` : "";
}

/**
 * The links of a tree that could lead to skills. A link inside a skill's own folder is a resource of that skill and leads
 * to no other, its `SKILL.md` apart.
 */
export function linksOf(tree: Tree, dialect: DialectName): Link[] {
  const onlyChildren = DIALECTS[dialect].looksIn === "children";
  return tree.folders.flatMap((folder) => {
    const { links, path } = folder;
    if (links.length === 0) return [];
    let depth = -1;
    let inSkill = false;
    for (let at: Folder | null = folder; at; at = at.parent) {
      depth++;
      inSkill ||= isSkillFolder(at);
    }
    return (
      links
        .filter((name) => (inSkill ? name === "SKILL.md" : mayHoldSkills(name, false)))
        // Of a root whose children alone are skills: a linked child, or a child's linked file.
        .filter((name) => !onlyChildren || depth === (name === "SKILL.md" ? 1 : 0))
        .map((name) => ({ name, path: join(path, name), folder: path, depth }))
    );
  });
}

/**
 * A link within its root is followed. A link to outside is followed in the user's roots, and in a project's once the user
 * trusts the project; it is reported either way.
 */
export function resolveLink(link: Link, root: Root, trusted: boolean): Destination {
  const isSkillFile = link.name === "SKILL.md";
  let real: string;
  let stats: Stats;
  try {
    real = realpathSync(link.path);
    stats = statSync(real);
  } catch (error) {
    const code = systemCode(error);
    return { target: null, mayFollow: false, fault: brokenLink(code), seen: code };
  }
  const seen = seenText(real, stats);
  if (stats.isDirectory()) {
    if (isSkillFile) {
      return {
        target: null,
        mayFollow: false,
        fault: { fault: "NOT_REGULAR", message: "SKILL.md is a link to a folder, not to a file." },
        seen,
      };
    }
    if (isInside(link.folder, real)) {
      const message = `The link leads back to ${real}, which contains it. It was not followed.`;
      return { target: null, mayFollow: false, fault: { fault: "LOOP", message }, seen };
    }
  } else if (!isSkillFile) {
    // A file beside the skills, a README perhaps.
    return { target: null, mayFollow: false, fault: null, seen };
  }
  const target = { real, stats, kind: isSkillFile ? "skill-file" : "folder" } as const;
  if (isInside(real, root.real)) return { target, mayFollow: true, fault: null, seen };
  if (root.scope !== "repo" || trusted) {
    const message = `The link leads outside its root, to ${real}.`;
    return { target, mayFollow: true, fault: { fault: "SYMLINK", message }, seen };
  }
  const message = `The link leads outside its root, to ${real}. It is not followed until you trust the project (knack trust).`;
  return { target, mayFollow: false, fault: { fault: "PATH_ESCAPE", message }, seen };
}

function brokenLink(code: string): Fault {
  if (code === "ELOOP") return { fault: "LOOP", message: "The link leads to itself; it was not followed." };
  return { fault: "LINK_BROKEN", message: `The link is broken (${code}); fix or remove it.` };
}
