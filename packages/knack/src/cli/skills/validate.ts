import { join, resolve } from "node:path";
import type { Catalog } from "@knack/core";
import { type Diagnostic, isInside } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { reportDiagnostics } from "./report.ts";
import { skillPlace } from "./skill-place.ts";

/** Paths that overlap find the same things. */
function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}

interface Findings {
  readonly files: readonly string[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export async function validate(paths: readonly string[], options: GlobalOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const catalog = await openProject(options).catalog({ enabled: true });
  const all = paths.length === 0 ? [findings(catalog, undefined)] : [];
  for (const path of new Set(paths.map((path) => resolve(cwd, path))))
    all.push(await check(path, catalog, options));

  const result = {
    checked: new Set(all.flatMap(({ files }) => files)).size,
    errors: unique(all.flatMap(({ errors }) => errors)),
    warnings: unique(all.flatMap(({ warnings }) => warnings)),
  };
  process.exitCode = result.errors.length > 0 ? 1 : 0;
  if (options.json) {
    printJson(result);
    return;
  }
  print(reportDiagnostics([...result.errors, ...result.warnings], cwd, options).join("\n"));
  const paint = painter(options, 2);
  const verdict = result.errors.length > 0 ? paint("red", "invalid") : paint("green", "valid");
  note(
    `${verdict}: ${pluralize(result.checked, "skill")} checked, ${pluralize(result.errors.length, "error")}, ${pluralize(result.warnings.length, "warning")}`,
  );
}

/** A path in one of the roots is read as that root says; any other as the open standard does. */
async function check(path: string, catalog: Catalog, options: GlobalOptions): Promise<Findings> {
  const { folder, isFile } = skillPlace(path);
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
