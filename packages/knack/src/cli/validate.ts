import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Catalog, type Diagnostic, isInside, SkillError } from "@knack/core";
import { counted } from "./count.ts";
import { open } from "./open.ts";
import type { GlobalOptions } from "./options.ts";
import { note, painter, print, printJson } from "./output.ts";
import { reportDiagnostics } from "./report.ts";

interface Findings {
  readonly checked: number;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export async function validate(paths: readonly string[], options: GlobalOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const catalog = await open(options, { enabled: true });
  const all = paths.length === 0 ? [findings(catalog, undefined)] : [];
  for (const path of new Set(paths.map((path) => resolve(cwd, path))))
    all.push(await check(path, catalog, options));

  const result: Findings = {
    checked: all.reduce((sum, { checked }) => sum + checked, 0),
    errors: all.flatMap(({ errors }) => errors),
    warnings: all.flatMap(({ warnings }) => warnings),
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
    `${verdict}: ${counted(result.checked, "skill")} checked, ${counted(result.errors.length, "error")}, ${counted(result.warnings.length, "warning")}`,
  );
}

/** A path in one of the roots is read as that root says; any other as the open standard does. */
async function check(path: string, catalog: Catalog, options: GlobalOptions): Promise<Findings> {
  if (!existsSync(path)) throw new SkillError("NOT_FOUND", `${path} does not exist.`);
  const isFile = !statSync(path).isDirectory();
  if (isFile && basename(path) !== "SKILL.md") {
    throw new SkillError("INVALID_PARAM", `${path} is no SKILL.md; name a skill's folder or its SKILL.md.`);
  }
  const folder = realpathSync(isFile ? dirname(path) : path);
  const inRoots = findings(catalog, folder);
  if (inRoots.checked > 0 || inRoots.errors.length > 0) return inRoots;
  const alone = findings(
    await open(options, { roots: [{ path: folder }], cache: false, enabled: true }),
    folder,
  );
  if (alone.checked > 0 || alone.errors.length > 0) return alone;
  const message = "There is no SKILL.md in this folder or below it.";
  return { checked: 0, errors: [{ path: folder, code: "E_SKILL_MISSING", message }], warnings: [] };
}

/** A skill that merely cannot be used on this machine is valid. */
function findings(catalog: Catalog, folder: string | undefined): Findings {
  const concerns = ({ path }: { path: string }): boolean => folder === undefined || isInside(path, folder);
  return {
    checked: catalog.files.filter((path) => concerns({ path })).length,
    errors: catalog.errors.filter((error) => error.code !== "E_INELIGIBLE" && concerns(error)),
    warnings: catalog.warnings.filter(concerns),
  };
}
