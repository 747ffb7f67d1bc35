import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Catalog, SkillError } from "@knack/core";
import { isInside, shorten } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";

/** The folders of the skills to lint: everything that is found from here, or what is at these paths, in a root or not. */
export async function chooseSkills(
  catalog: Catalog,
  paths: readonly string[],
  options: GlobalOptions,
): Promise<string[]> {
  const cwd = resolve(options.cwd ?? ".");
  const files = paths.length === 0 ? [...catalog.files] : [];
  for (const path of new Set(paths.map((given) => resolve(cwd, given))))
    files.push(...(await skillsAt(path, catalog, options)));
  return [...new Set(files.map((file) => dirname(file)))].sort();
}

async function skillsAt(path: string, catalog: Catalog, options: GlobalOptions): Promise<readonly string[]> {
  if (!existsSync(path))
    throw new SkillError("NOT_FOUND", `${shorten(path)} does not exist; check the path.`);
  const isFile = !statSync(path).isDirectory();
  if (isFile && basename(path) !== "SKILL.md") {
    throw new SkillError(
      "INVALID_PARAM",
      `${shorten(path)} is not a SKILL.md; name a skill's folder or its SKILL.md.`,
    );
  }
  const folder = realpathSync(isFile ? dirname(path) : path);
  const alone = await openProject(options).catalog({
    roots: [{ path: folder }],
    cache: false,
    enabled: true,
  });
  const inRoots = catalog.files.filter((file) => isInside(file, folder));
  const found = [...new Set([...inRoots, ...alone.files])];
  const chosen = isFile ? found.filter((file) => dirname(file) === folder) : found;
  if (chosen.length > 0) return chosen;
  throw new SkillError("NOT_FOUND", `There is no SKILL.md in ${shorten(path)} or below it.`);
}
