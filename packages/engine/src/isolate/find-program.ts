import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin"];

/** An executable in the folders of PATH. Relative entries are left out: they would mean the project's own files. */
export function findProgram(name: string, order: "system first" | "path only"): string | null {
  const fromPath = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  for (const folder of order === "system first" ? [...SYSTEM_FOLDERS, ...fromPath] : fromPath) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
