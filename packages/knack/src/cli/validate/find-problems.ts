import { join, resolve } from "node:path";
import type { Catalog } from "@knack/core";
import { type Diagnostic, isInside } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { skillPlace } from "../skills/skill-place.ts";

interface Findings {
  readonly files: readonly string[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export interface Problems extends Findings {
  readonly catalog: Catalog;
  /** The folders that were named, with every link resolved. */
  readonly given: readonly string[];
}

/** What is wrong with the skills found from here, or with those at these paths. */
export async function findProblems(paths: readonly string[], options: GlobalOptions): Promise<Problems> {
  const cwd = resolve(options.cwd ?? ".");
  const catalog = await openProject(options).catalog({ enabled: true });
  const all = paths.length === 0 ? [findings(catalog, undefined)] : [];
  const given = new Set<string>();
  for (const path of new Set(paths.map((path) => resolve(cwd, path)))) {
    const { folder, isFile } = skillPlace(path);
    given.add(folder);
    all.push(await check(folder, isFile, catalog, options));
  }
  return {
    catalog,
    given: [...given],
    files: [...new Set(all.flatMap(({ files }) => files))],
    errors: unique(all.flatMap(({ errors }) => errors)),
    warnings: unique(all.flatMap(({ warnings }) => warnings)),
  };
}

/** Paths that overlap find the same things. */
function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}

/** A path in one of the roots is read as that root says; any other as the open standard does. */
async function check(
  folder: string,
  isFile: boolean,
  catalog: Catalog,
  options: GlobalOptions,
): Promise<Findings> {
  const place = isFile ? join(folder, "SKILL.md") : folder;
  const inRoots = findings(catalog, place);
  const alone = findings(
    await openProject(options).catalog({ roots: [{ path: folder }], cache: false, enabled: true }),
    folder,
  );
  // What is in a root is read as the root says, whatever else is around it.
  const isElsewhere = (file: string): boolean => !catalog.roots.some((root) => isInside(file, root.real));
  const both: Findings = {
    files: [...inRoots.files, ...alone.files.filter(isElsewhere)],
    errors: [...inRoots.errors, ...alone.errors.filter(({ path: file }) => isElsewhere(file))],
    warnings: [...inRoots.warnings, ...alone.warnings.filter(({ path: file }) => isElsewhere(file))],
  };
  if (both.files.length > 0 || both.errors.length > 0) return both;
  if (alone.files.length > 0) return alone;
  const message = "No skills found: this folder has no SKILL.md, and no folder below it has one.";
  return { files: [], errors: [{ path: folder, code: "E_SKILL_MISSING", message }], warnings: [] };
}

/** A skill that merely cannot be used on this machine is valid. */
function findings(catalog: Catalog, place: string | undefined): Findings {
  const concerns = ({ path }: { path: string }): boolean =>
    place === undefined || path === place || (!place.endsWith("SKILL.md") && isInside(path, place));
  return {
    files: catalog.files.filter((path) => concerns({ path })),
    errors: catalog.errors.filter((error) => error.code !== "E_INELIGIBLE" && concerns(error)),
    warnings: catalog.warnings.filter(concerns),
  };
}
