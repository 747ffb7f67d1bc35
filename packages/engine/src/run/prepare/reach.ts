import { isInside, shorten } from "@knack/core/internal/engine";
import type { Containment } from "./hash-input.ts";

/**
 * How far the inputs of a run may be away. `project`: nothing outside the project, because a model or the plan of a stranger
 * names them. `named`: what a person names, but in a project that is not trusted no link of it leads them elsewhere.
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
        'a model may only use files of the project. The user can copy the file there, or run the skill with "knack run".',
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
      : `${shown} leads out of the project through a link, and the project is not trusted. Name the file by its own path, or run "knack trust".`;
  return { root: projectRoot, refusal };
}
