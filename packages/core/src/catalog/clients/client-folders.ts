import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { CLIENT_FOLDERS, type ClientFolders, type ClientId } from "../../config/client-folders.ts";

/** A folder that exists and that a client finds skills in. */
export interface ClientFolder {
  readonly path: string;
  readonly client: ClientId;
  /** The plugin that it is a part of: its skills are called `plugin:name`. */
  readonly plugin?: string;
  /** The client installs, updates and removes it: nothing in it is the user's own. */
  readonly isManaged?: boolean;
}

/** Whose home it is. */
export interface ClientPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The folders that clients read in these folders of a project. */
export function projectFolders(clients: readonly ClientId[], folders: readonly string[]): ClientFolder[] {
  const found = folders.flatMap((folder) =>
    clients.flatMap((client) =>
      CLIENT_FOLDERS[client].project.map((path) => ({ client, path: join(folder, path) })),
    ),
  );
  return found.filter(({ path }) => existsSync(path));
}

/** The folders that clients read in the user's home. */
export function userFolders(clients: readonly ClientId[], place: ClientPlace): ClientFolder[] {
  const found = clients.flatMap((client) => {
    const row: ClientFolders = CLIENT_FOLDERS[client];
    return row.user.map((path) => ({ client, path: inHome(client, path, place) }));
  });
  return found.filter(({ path }) => existsSync(path));
}

/** The folder into which a client writes its own skills, below those of the user. */
export function builtInFolder(client: ClientId): string | undefined {
  const { builtIn }: ClientFolders = CLIENT_FOLDERS[client];
  return builtIn;
}

/** A folder of the user's that a client's variable may have moved elsewhere. */
export function inHome(client: ClientId, path: string, { home, env }: ClientPlace): string {
  const { moved }: ClientFolders = CLIENT_FOLDERS[client];
  const to = moved && path.startsWith(moved.replaces) ? env[moved.variable] : undefined;
  // A relative path would be somewhere else in every folder.
  if (!moved || !to || !isAbsolute(to)) return join(home, path);
  return join(to, path.slice(moved.replaces.length));
}
