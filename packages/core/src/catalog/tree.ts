import { hash } from "node:crypto";
import type { Fault } from "../diagnostics.ts";
import type { Reading } from "../skill/parse.ts";
import type { Identity } from "./identity.ts";

/** What is known of one folder tree: enough to tell later, by looking at time stamps alone, what changed in it. */
export interface Tree {
  /** When the scan that made it began. */
  readonly seenAt: number;
  /** Parents before children, siblings in the order of their names. */
  readonly folders: readonly Folder[];
}

export interface Folder {
  readonly path: string;
  /** Index of the parent in the tree; -1 for the top. */
  readonly parent: number;
  readonly identity: Identity;
  /** Names of symbolic links in it, which are looked at anew each time: what they lead to changes elsewhere. */
  readonly links: readonly string[];
  /** What is wrong with the folder itself. */
  readonly faults: readonly Fault[];
  readonly skill: SkillFile | null;
}

export interface SkillFile {
  readonly id: string;
  readonly path: string;
  readonly identity: Identity;
  readonly reading: Reading;
}

/** `id` of a skill: stable for a canonical path, and nothing else goes into it. */
export function skillId(path: string): string {
  return hash("sha256", path, "hex").slice(0, 32);
}
