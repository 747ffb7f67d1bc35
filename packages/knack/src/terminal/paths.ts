import { isAbsolute, relative } from "node:path";
import { visiblePath } from "./visible.ts";

/** A path as a person would type it from the working directory, where that is shorter. */
export function shortPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return visiblePath(way !== "" && !isAbsolute(way) && way.length < path.length ? way : path);
}
