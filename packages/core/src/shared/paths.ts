import { existsSync, realpathSync } from "node:fs";
import path, { join, type PlatformPath, parse, sep } from "node:path";

/** `/srv/skills-evil` is not inside `/srv/skills`. Looks at no file: where links count, give it `canonical` paths. */
export function isInside(file: string, folder: string, platform: PlatformPath = path): boolean {
  const way = platform.relative(folder, file);
  // A name may begin with two dots: `..notes` is below, `../notes` is not. On Windows another drive gives an absolute way.
  return way !== ".." && !way.startsWith(`..${platform.sep}`) && !platform.isAbsolute(way);
}

/** One system call; on Windows it would also resolve drives. */
export const realPath = process.platform === "win32" ? realpathSync : realpathSync.native;

/** With every link resolved, as far as the path exists. */
export function canonical(file: string): string {
  if (existsSync(file)) return realPath(file);
  const { root } = parse(file);
  const segments = file.slice(root.length).split(sep);
  // From the front: a path of a million folders that are not there costs one look.
  let existing = root || ".";
  let found = 0;
  for (; found < segments.length; found++) {
    const next = join(existing, segments[found] ?? "");
    if (!existsSync(next)) break;
    existing = next;
  }
  return join(realPath(existing), segments.slice(found).join(sep));
}
