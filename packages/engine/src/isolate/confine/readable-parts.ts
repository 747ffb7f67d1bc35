import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@knack/core/internal/engine";

/** Walking more entries than this would take longer than most skills. */
const MAX_ENTRIES = 100_000;

/**
 * The largest parts of a folder that together cover everything except what is hidden. `links`: whether to leave out links to
 * outside too; Node's permission model compares names and would follow them, Landlock does not.
 */
export function readableParts(
  root: string,
  hidden: readonly string[],
  links: "left out" | "as they are",
): { readonly parts: readonly string[] } | { readonly problem: string } {
  const parts: string[] = [];
  let seen = 0;
  /** Whether the whole folder can be read; if not, its readable parts are added to `parts`. */
  const isWhole = (path: string, entry: Dirent | null): boolean => {
    seen += 1;
    // A `*` in a name would make Node allow more than that file.
    if (hidden.includes(path) || (links === "left out" && entry?.name.includes("*"))) return false;
    if (entry?.isSymbolicLink() && links === "left out") return staysInside(path);
    const isLookedInto =
      entry === null ||
      (entry.isDirectory() &&
        (links === "left out" || hidden.some((hiddenPath) => isInside(hiddenPath, path))));
    if (!isLookedInto || seen > MAX_ENTRIES) return true;
    const whole: string[] = [];
    let all = entry !== null;
    for (const child of readdirSync(path, { withFileTypes: true })) {
      const place = join(path, child.name);
      if (isWhole(place, child)) whole.push(place);
      else all = false;
    }
    if (!all) parts.push(...whole);
    return all;
  };
  const staysInside = (link: string): boolean => {
    try {
      const real = realpathSync(link);
      return isInside(real, root) && !hidden.some((path) => isInside(real, path));
    } catch {
      // A broken link: its target may appear later.
      return false;
    }
  };
  isWhole(root, null);
  if (seen > MAX_ENTRIES)
    return {
      problem: `the project has more than ${MAX_ENTRIES} files, too many to check for links that lead out of it; install bubblewrap`,
    };
  return { parts: parts.sort() };
}
