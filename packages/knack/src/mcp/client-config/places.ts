import { isAbsolute, join } from "node:path";
import type { Place } from "./client.ts";

/** `file` in the folder that a variable names, else in `folder` of the home folder. */
export function homeOf({ env, home }: Place, variable: string, folder: string, file: string): string {
  const given = env[variable] ?? "";
  return given === "" ? join(home, folder, file) : join(given, file);
}

/** Where programs keep their configuration by the rules of XDG. A relative path there counts as none. */
export function configHome({ env, home }: Place): string {
  const given = env.XDG_CONFIG_HOME ?? "";
  return isAbsolute(given) ? given : join(home, ".config");
}

/** Where desktop programs keep what belongs to a user. */
export function appData(place: Place): string {
  const { env, home, platform } = place;
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return platform === "darwin" ? join(home, "Library", "Application Support") : configHome(place);
}
