import { lstatSync } from "node:fs";
import {
  compareDigest,
  digestSkill,
  type FileChange,
  type LockedSkill,
  lockedAt,
  type SkillLock,
} from "@knack/core/lock";
import { conflict } from "../options.ts";
import { type InstallPlace, skillFolder } from "./place.ts";

/** What is at a skill's place now. */
export type LocalState =
  | { readonly kind: "absent"; readonly locked?: LockedSkill }
  /** As its lock says. */
  | { readonly kind: "clean"; readonly locked: LockedSkill; readonly digest: string }
  | {
      readonly kind: "changed";
      readonly locked: LockedSkill;
      readonly digest: string;
      readonly changes: readonly FileChange[];
    }
  /** In no lock: somebody's own. */
  | { readonly kind: "unlocked"; readonly digest: string }
  | { readonly kind: "link"; readonly locked?: LockedSkill };

export async function localState(place: InstallPlace, lock: SkillLock, name: string): Promise<LocalState> {
  const { dir, folder } = skillFolder(place, name);
  const locked = lockedAt(lock, folder);
  const known = locked ? { locked } : {};
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  if (!stats) return { kind: "absent", ...known };
  if (stats.isSymbolicLink()) return { kind: "link", ...known };
  if (!stats.isDirectory())
    throw conflict(`${dir} is not a folder; nothing was changed. Move it away, then try again.`);
  const now = await digestSkill(dir);
  if (!locked) return { kind: "unlocked", digest: now.sha256 };
  const changes = compareDigest(locked, now);
  if (changes.length === 0) return { kind: "clean", locked, digest: now.sha256 };
  return { kind: "changed", locked, digest: now.sha256, changes };
}

/** The digest of the files that are there, which a step compares again; a link has none. */
export const digestBefore = (state: LocalState): string | null => ("digest" in state ? state.digest : null);

/** Whether a skill has files that no source can give back. */
export function isEndangered(state: LocalState, incoming?: string): boolean {
  if (state.kind === "unlocked" || state.kind === "changed") return state.digest !== incoming;
  return state.kind === "link";
}

/** Local changes are never lost: without `--force` nothing happens, with it a copy is kept. */
export function refuseChanges(
  place: InstallPlace,
  skills: readonly { readonly name: string; readonly state: LocalState }[],
  force = false,
): void {
  if (force || skills.length === 0) return;
  const lines = skills.map(({ name, state }) => `- ${skillFolder(place, name).dir} ${whyOf(state)}`);
  throw conflict(
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
