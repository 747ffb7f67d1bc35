import { hash } from "node:crypto";
import { join } from "node:path";
import { knackHome, realBase } from "@knack/core/internal";

/** Whose processes these are: those of one user that serve one project. */
export interface PresencePlace {
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

export interface ProjectFolder {
  /** The user's own folder: below it no link is followed. */
  readonly base: string;
  readonly folder: string;
}

/** Where the processes of a project tell each other what they do: in the user's own folder, readable by the user alone. */
export function projectFolder({ projectRoot, env, home }: PresencePlace): ProjectFolder {
  const base = realBase(knackHome(env, home));
  return { base, folder: join(base, "clients", hash("sha256", projectRoot, "hex").slice(0, 32)) };
}
