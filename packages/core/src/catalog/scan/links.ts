import { type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { isOlderThanTick } from "../../shared/file-stamp.ts";
import { isInside, realPath } from "../../shared/paths.ts";
import { DIALECTS, type DialectName } from "../../skill/dialects.ts";
import { type Folder, isSkillFolder, type Tree } from "../tree.ts";
import type { Root } from "./roots.ts";
import { mayHoldSkills } from "./walk.ts";

export interface Link {
  readonly name: string;
  readonly path: string;
  /** Folders between it and the top of its tree. */
  readonly depth: number;
}

/** Where a link leads, and what is wrong with it. */
export interface Destination {
  /** A folder, or the file that a `SKILL.md` leads to. */
  readonly target?: End;
  readonly mayFollow?: boolean;
  readonly fault?: Fault;
  readonly seen: string;
}

export interface SeenLink {
  readonly path: string;
  /** Its target's state; empty where only another look tells. */
  readonly seen: string;
  /** Its target's real path, if that is a folder. */
  readonly folder: string | undefined;
}

interface End {
  readonly real: string;
  readonly stats: Stats;
}

/** The target of a link, or the system's error code. */
function endOf(link: string): End | string {
  try {
    const real = realPath(link);
    return { real, stats: statSync(real) };
  } catch (error) {
    return systemCode(error);
  }
}

/** A text that changes whenever the link's target does. */
export function seenAt(path: string): string {
  return seenText(endOf(path));
}

function seenText(end: End | string): string {
  if (typeof end === "string") return end;
  const { real, stats } = end;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  if (stats.isDirectory()) return `${real}\n${dev}:${ino}`;
  const isOld = isOlderThanTick(mtimeMs, ctimeMs, Date.now());
  return isOld ? `${real}\n${[dev, ino, size, mtimeMs, ctimeMs].join(":")}` : "";
}

/** Links that could lead to skills. Inside a skill's folder only a linked `SKILL.md` counts: the others are resources. */
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
        // Where only children of a root are skills: a linked child, or its linked file.
        .filter((name) => !onlyChildren || depth === (name === "SKILL.md" ? 1 : 0))
        .map((name) => ({ name, path: join(path, name), depth }))
    );
  });
}

/** Links out of their root are followed in the user's roots, and in a project's once it is trusted; they are reported. */
export function resolveLink(link: Link, root: Root, trusted: boolean): Destination {
  const isSkillFile = link.name === "SKILL.md";
  const target = endOf(link.path);
  const seen = seenText(target);
  if (typeof target === "string") return { seen, fault: brokenLink(target) };
  const { real, stats } = target;
  // A file beside the skills, a README perhaps.
  if (!stats.isDirectory() && !isSkillFile) return { seen };
  if (stats.isDirectory() && isSkillFile) {
    const message = "SKILL.md is a link to a folder, not to a file.";
    return { seen, fault: { fault: "NOT_REGULAR", message } };
  }
  if (stats.isDirectory() && isInside(dirname(link.path), real)) {
    const message = `The link leads back to ${real}, which contains it. It was not followed.`;
    return { seen, fault: { fault: "LOOP", message } };
  }
  if (isInside(real, root.real)) return { seen, target, mayFollow: true };
  const message = `The link leads outside its root, to ${real}.`;
  if (root.scope !== "repo" || trusted)
    return { seen, target, mayFollow: true, fault: { fault: "SYMLINK", message } };
  const wait = `${message} It is not followed until you trust the project (knack trust).`;
  return { seen, target, fault: { fault: "PATH_ESCAPE", message: wait } };
}

function brokenLink(code: string): Fault {
  if (code === "ELOOP") return { fault: "LOOP", message: "The link leads to itself; it was not followed." };
  return { fault: "LINK_BROKEN", message: `The link is broken (${code}); fix or remove it.` };
}
