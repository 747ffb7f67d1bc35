import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../errors.ts";
import { lookAtOwn } from "./own-file.ts";

/** It covers itself too, so that nothing untracked appears in the user's repository. */
const TEXT = `# Created by Knack. config.yaml can be committed; everything else here is local state.
*
!config.yaml
`;

/**
 * Keeps Knack's local state in a project's `.knack` out of git. A file or link that is there stays as it is. Without it Knack works
 * all the same, so a folder that cannot be written is reported by whoever writes the state itself.
 */
export function addGitignore(base: string, folder: string): void {
  const file = join(folder, ".gitignore");
  if (lookAtOwn(base, file).kind !== "absent") return;
  let descriptor: number;
  try {
    descriptor = openSync(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
      0o644,
    );
  } catch (error) {
    systemCode(error);
    return;
  }
  try {
    writeSync(descriptor, TEXT);
  } catch (error) {
    systemCode(error);
  } finally {
    closeSync(descriptor);
  }
}
