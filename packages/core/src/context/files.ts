import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../config/project-root.ts";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";

interface FileListing {
  /** Absolute paths of regular files, the skill's own `SKILL.md` left out, in the order of the paths. */
  readonly files: string[];
  readonly truncated: boolean;
  /** What is in the folder and is not listed. */
  readonly faults: readonly { readonly path: string; readonly fault: Fault }[];
}

/** The files that come with a skill. A link that leads out of the folder is named and never followed. */
export function listFiles(dir: string, maxFiles: number): FileListing {
  const files: string[] = [];
  const faults: { path: string; fault: Fault }[] = [];
  const real = realpathSync(dir);
  const waiting = [dir];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      faults.push({
        path: folder,
        fault: { fault: "UNREADABLE", message: `The folder was not listed (${systemCode(error)}).` },
      });
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === ".git" || entry.name === "node_modules") continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) files.push(path);
      else {
        const fault = entry.isSymbolicLink() ? linkFault(path, real) : NOT_A_FILE;
        if (fault) faults.push({ path, fault });
        else files.push(path);
      }
    }
  }
  const listed = files.filter((path) => path !== join(dir, "SKILL.md")).sort();
  return { files: listed.slice(0, maxFiles), truncated: listed.length > maxFiles, faults };
}

const NOT_A_FILE: Fault = { fault: "NOT_REGULAR", message: "It is not a regular file; it is not served." };

function linkFault(path: string, folder: string): Fault | undefined {
  try {
    const target = realpathSync(path);
    if (isInside(target, folder)) return statSync(target).isFile() ? undefined : NOT_A_FILE;
    return { fault: "PATH_ESCAPE", message: "The link leads out of the skill's folder; it is not served." };
  } catch (error) {
    return { fault: "LINK_BROKEN", message: `The link leads nowhere (${systemCode(error)}).` };
  }
}
