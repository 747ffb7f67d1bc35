import { userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The user's home folder. An empty or relative `HOME` would make a folder of the project the user's own, so then the
 * operating system is asked.
 */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? "";
  return isAbsolute(home) ? home : userInfo().homedir;
}
