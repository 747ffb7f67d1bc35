import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { systemCode } from "../shared/errors.ts";

/**
 * The user's home folder. An empty or relative `HOME` would make a folder of the project the user's own, so then the
 * operating system is asked.
 */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? "";
  if (isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch (error) {
    systemCode(error); // A user without an entry has no home; then there are no files of theirs either.
    return "/nonexistent";
  }
}
