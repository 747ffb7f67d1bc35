import { CLIENT_FOLDERS } from "../../packages/core/src/config/client-folders.ts";

/** A folder that is searched for skills, below the test's folder. */
export interface Row {
  readonly path: string;
  /** Absent for Knack's own folders. */
  readonly client?: string;
}

export const OWN_FOLDERS: readonly Row[] = [
  { path: "repo/.agents/skills" },
  { path: "home/.agents/skills" },
  { path: "repo/skills" },
];

const FOLDERS: readonly Row[] = [
  ...Object.entries(CLIENT_FOLDERS).flatMap(([client, { project, user }]) => [
    ...project.map((path) => ({ client, path: `repo/${path}` })),
    ...user.map((path) => ({ client, path: `home/${path}` })),
  ]),
  { client: "claude", path: "repo/packages/app/.claude/skills" },
];

/** Every folder of the table of clients, and one of a folder inside the project. The first client of a folder counts. */
export const ROWS: readonly Row[] = FOLDERS.filter(
  ({ path }, at) => FOLDERS.findIndex((row) => row.path === path) === at,
);
