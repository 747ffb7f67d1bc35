import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The program that a name means on a search path. Relative folders are left out: they would mean a project's own files. */
export function findOnPath(name: string, path: string | undefined): string | undefined {
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  return (path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Not there, or not for us.
  }
}
