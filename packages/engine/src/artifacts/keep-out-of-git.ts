import { closeSync, constants, writeSync } from "node:fs";
import { systemCode } from "@knack/core/internal/engine";
import { Folder, PathRefused } from "./folder.ts";

/** Makes git ignore a new folder of the project, itself included. A file that is there stays as it is. */
export function keepOutOfGit(projectRoot: string, path: string, what: string): void {
  using folder = Folder.open(projectRoot, path.split("/").filter(Boolean), false);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const fd = folder.openFile(".gitignore", flags, 0o644);
    try {
      writeSync(fd, `# Created by Knack: ${what} are not committed. Remove this file to commit them.\n*\n`);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Another process may have made it in between; what cannot be written is reported with the file.
    if (!(error instanceof PathRefused)) systemCode(error);
  }
}
