import { SkillError } from "@knack/core";
import { type InstallPlace, installPlace } from "./place.ts";
import { recoverInstall } from "./store/commit.ts";

/** Finishes what a killed command had begun, in this project and for the user: before anybody compares skills with their locks. */
export async function recoverInstalls(options: { readonly cwd?: string }): Promise<void> {
  for (const user of [false, true]) {
    const place = placeOrNone({ ...options, user });
    if (place) await recoverInstall(place);
  }
}

/** Where nothing can be installed, nothing was begun. */
function placeOrNone(options: { readonly cwd?: string; readonly user: boolean }): InstallPlace | undefined {
  try {
    return installPlace(options);
  } catch (error) {
    if (error instanceof SkillError) return undefined;
    throw error;
  }
}
