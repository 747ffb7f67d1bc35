import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { findProgram } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import { shellWords } from "../../terminal/shell-words.ts";
import { visiblePath } from "../../terminal/visible.ts";
import { packageFolder, packageName, version } from "../../version.ts";
import { findInstallation } from "./installation.ts";

/** Prints how to upgrade. It runs nothing and contacts nobody, so it cannot say whether there is a newer version. */
export function upgrade(options: GlobalOptions): void {
  const folder = packageFolder();
  const { installed, how, commands } = findInstallation({
    folder,
    name: packageName,
    npmPrefix: npmPrefix(),
    exists: existsSync,
  });
  const lines = commands.map(shellWords);
  const node = { version: process.versions.node, path: process.execPath };
  const isWritable = canWrite(dirname(folder));
  if (options.json) {
    printJson({
      version,
      package: packageName,
      installed,
      folder,
      writable: isWritable,
      node,
      commands: lines,
    });
    return;
  }
  note(`Knack ${version} in ${visiblePath(folder)}, ${visiblePath(how)}. To upgrade, run:`);
  print(lines.join("\n"));
  if (!isWritable)
    note(`You may not write to ${visiblePath(dirname(folder))}: run it as the owner, for example with sudo.`);
  note("Knack contacts no server itself, so it does not know whether there is a newer version.");
}

/** The folder above that of the `node` which npm runs on. */
function npmPrefix(): string | undefined {
  const node = findProgram("node", process.env);
  return node && dirname(dirname(realpathSync(node)));
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
