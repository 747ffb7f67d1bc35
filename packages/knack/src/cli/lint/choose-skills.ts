import { dirname, resolve } from "node:path";
import { type Catalog, SkillError } from "@knack/core";
import { isInside, shorten } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { skillPlace } from "../skills/skill-place.ts";

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
  const { folder, isFile } = skillPlace(path);
  const alone = await openProject(options).catalog({
    roots: [{ path: folder }],
    cache: false,
    enabled: true,
  });
  const inRoots = catalog.files.filter((file) => isInside(file, folder));
  const found = [...new Set([...inRoots, ...alone.files])];
  const chosen = isFile ? found.filter((file) => dirname(file) === folder) : found;
  if (chosen.length > 0) return chosen;
  throw new SkillError(
    "NOT_FOUND",
    `No skills found in ${shorten(path)}: it has no SKILL.md, and no folder below it has one.`,
  );
}
