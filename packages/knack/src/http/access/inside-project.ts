import { join, resolve } from "node:path";
import { canonical, isInside } from "@knack/core/files";
import type { Caller } from "../../host/access.ts";
import { denied } from "../../options.ts";

/**
 * The file that a request names, absolute. The user's own token may name any file of the machine; a named token has no
 * account here, so it may name files of the project alone.
 */
export function namedFile(caller: Caller | null, projectRoot: string, path: string): string {
  const file = resolve(projectRoot, path);
  if (!caller || caller.name === null || isInside(canonical(file), canonical(projectRoot))) return file;
  throw denied("The file is outside the project; an access token may name files of the project only.");
}

/** The same for a plan. What was uploaded to `workspace/` is not part of the project: as a plan it could name any file. */
export function namedPlan(caller: Caller | null, projectRoot: string, path: string): string {
  const file = namedFile(caller, projectRoot, path);
  const isUploaded = isInside(canonical(file), join(canonical(projectRoot), "workspace"));
  if (!caller || caller.name === null || !isUploaded) return file;
  throw denied("A plan in workspace/ can be applied at the terminal only.");
}
