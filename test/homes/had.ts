import type { Row } from "./folders.ts";
import type { MadeSkill } from "./skills.ts";

/** A skill that somebody has, and where. Paths are below the test's folder. */
export interface Had {
  /** Without a plugin's name before it. */
  readonly name: string;
  /** Claude Code calls a skill as its folder is called. */
  readonly folderName: string;
  /** Absent in Knack's own folders. */
  readonly client?: string;
  readonly plugin?: string;
  /** The folder that clients search. */
  readonly row: string;
  readonly path: string;
  /** Other paths of the same skill. */
  readonly alsoAt: readonly string[];
}

export interface Made {
  readonly had: Had;
  readonly skill: MadeSkill;
}

export function had(row: Row, name: string, folderName = name, more: Partial<Had> = {}): Had {
  const { path, client } = row;
  return {
    name,
    folderName: folderName.split("/").at(-1) ?? "",
    row: path,
    path: `${path}/${folderName}/SKILL.md`,
    alsoAt: [],
    ...(client && { client }),
    ...more,
  };
}
