import { SkillError } from "@knack/core";
import { type InstallPlace, skillFolder } from "../place.ts";
import type { LocalState } from "./local-state.ts";

/** A skill whose files would be lost. */
export interface Endangered {
  readonly name: string;
  readonly state: LocalState;
}

/** Whether a skill has files that no source can give back. */
export function isEndangered(state: LocalState, incoming?: string): boolean {
  if (state.kind === "unlocked") return state.digest !== incoming;
  if (state.kind === "changed") return state.digest !== incoming;
  return state.kind === "link";
}

/** Local changes are never lost: without `--force` nothing happens, with it a copy is kept. */
export function refuseChanges(place: InstallPlace, skills: readonly Endangered[], force: boolean): void {
  if (force || skills.length === 0) return;
  const lines = skills.map(({ name, state }) => `- ${skillFolder(place, name).dir} ${whyOf(state)}`);
  throw new SkillError(
    "CONFLICT",
    `Your files would be lost, so nothing was changed.\n${lines.join("\n")}\nUse --force to go on; a copy is kept.`,
  );
}

function whyOf(state: LocalState): string {
  if (state.kind === "link") return "is a link.";
  if (state.kind !== "changed") return "is not in skills.lock.";
  const files = state.changes.slice(0, 3).map(({ path }) => path || "the folder");
  const more = state.changes.length > files.length ? ` and ${state.changes.length - files.length} more` : "";
  return `has local changes (${files.join(", ")}${more}).`;
}
