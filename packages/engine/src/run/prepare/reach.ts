import { join } from "node:path";
import { isInside, shorten } from "@knack/core/internal/engine";
import type { Containment } from "./hash-input.ts";

/**
 * Where the inputs of a run may be. `project`: nothing outside the project, because a model or an untrusted plan names them.
 * `named`: any file that a person names, but in an untrusted project not through a link to outside.
 */
export interface Reach {
  readonly kind: "anywhere" | "named" | "project";
  /** Why nothing outside may be named, as the end of a sentence about the file. */
  readonly reason?: string;
}

/** As far as the caller says; otherwise as far as the project is trusted. */
export function reachOf(
  {
    reach,
    insideProjectOnly,
  }: { readonly reach?: Reach | undefined; readonly insideProjectOnly?: boolean | undefined },
  isTrusted: boolean,
): Reach {
  if (reach) return reach;
  if (insideProjectOnly)
    return {
      kind: "project",
      reason:
        'only files of the project can be used here. Copy the file into the project, or run the skill at the terminal: "knack run".',
    };
  return { kind: isTrusted ? "anywhere" : "named" };
}

/** Where this file must really be; `null` where that does not matter. */
export function containment(reach: Reach, file: string, projectRoot: string): Containment | null {
  if (reach.kind === "anywhere" || (reach.kind === "named" && !isInside(file, projectRoot))) return null;
  const shown = shorten(file);
  const refusal =
    reach.kind === "project"
      ? `${shown} is outside the project; ${reach.reason ?? "only files of the project are read."}`
      : `${shown} is outside the project (through a link), and the project is not trusted. Give the real path of the file, or run "knack trust".`;
  // Its configuration may have the password of the team's database.
  const hidden = reach.kind === "project" ? join(projectRoot, ".knack") : undefined;
  return { root: projectRoot, refusal, hidden };
}
