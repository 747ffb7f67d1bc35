import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";

/** Never skills, wherever they are. */
const SKIPPED = new Set(["node_modules", ".git"]);
/** Inside a skill these hold its resources, so a `SKILL.md` there is an example and not a skill. */
const RESOURCES = new Set(["assets", "references", "scripts"]);

export function mayHoldSkills(name: string, insideSkill: boolean): boolean {
  return !SKIPPED.has(name) && !(insideSkill && RESOURCES.has(name));
}

export interface Listing {
  readonly subfolders: string[];
  readonly links: string[];
  /** Whether there is a `SKILL.md` that is not a link: a file, or something else that cannot be one. */
  readonly hasSkill: boolean;
  /** A file that differs from `SKILL.md` in case alone, or nothing. */
  readonly otherCase: string;
  /** How many names in it are not valid UTF-8. */
  readonly badNames: number;
}

export function listFolder(path: string): Listing | Fault {
  let entries: Dirent[];
  try {
    entries = readdirSync(path, WITH_TYPES);
  } catch (error) {
    return folderFault(systemCode(error));
  }
  let badNames = 0;
  if (entries.some(({ name }) => name.includes("\ufffd"))) {
    const bad = badNamesOf(path);
    entries = entries.filter(({ name }) => {
      const left = bad.get(name) ?? 0;
      if (left > 0) bad.set(name, left - 1);
      if (left > 0) badNames++;
      return left === 0;
    });
  }
  const subfolders: string[] = [];
  const links: string[] = [];
  let hasSkill = false;
  let otherCase = "";
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isSymbolicLink()) links.push(name);
    else if (name === "SKILL.md") hasSkill = true;
    else if (entry.isDirectory()) subfolders.push(name);
    else if (name.length === 8 && name.toUpperCase() === "SKILL.MD" && entry.isFile()) otherCase = name;
  }
  // The operating system returns names in no particular order.
  if (subfolders.length > 1) subfolders.sort();
  if (links.length > 1) links.sort();
  return { subfolders, links, hasSkill, otherCase, badNames };
}

/** A name that is no UTF-8 cannot be asked for, and may look like another that is. */
function badNamesOf(path: string): Map<string, number> {
  const bad = new Map<string, number>();
  for (const name of readdirSync(path, { encoding: "buffer" })) {
    if (!isUtf8(name)) bad.set(name.toString("utf8"), (bad.get(name.toString("utf8")) ?? 0) + 1);
  }
  return bad;
}

const WITH_TYPES = { withFileTypes: true } as const;

function folderFault(code: string): Fault {
  const why: Record<string, string> = {
    ENAMETOOLONG: "its path is longer than the operating system allows",
    EACCES: "permission denied",
    EPERM: "permission denied",
    ELOOP: "it is a link that leads to itself",
  };
  return { fault: "UNREADABLE", message: `The folder was not searched: ${why[code] ?? code}.` };
}

const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

/** What is at a path now, a link itself included: nothing, something, or a place that cannot be looked at. */
export function tryStat(path: string): Stats | Fault | undefined {
  try {
    return lstatSync(path, MAY_BE_MISSING);
  } catch (error) {
    return folderFault(systemCode(error));
  }
}
