import { hash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { knackHome } from "../config/load.ts";
import type { TrustPlace } from "../policy/trust.ts";
import { lookAtOwn, realBase } from "../shared/own/own-file.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { knownStore } from "./known-stores.ts";

/** Where the state of a project is: runs, artifacts, evidence, tasks, the log. */
export interface StatePlace {
  /** `sqlite:/absolute/path`, or a server's. */
  readonly url: string;
  /** Of a file: below this folder no link is followed to it. */
  readonly base: string;
  /** Whether others may not even read the file. */
  readonly isPrivate: boolean;
  readonly exists: boolean;
  /** Of a project's own database: what it must call itself, where it is there already. */
  readonly storeId?: string;
  /** Made here, it is remembered as this user's own. */
  readonly isToRemember: boolean;
  /** The project whose state this is, where the user's folder has it. */
  readonly project?: string;
  /** A database in the project's place that is not used, and why. */
  readonly foreign?: ForeignState;
  /** The database that this user's Knack made in the project is gone. */
  readonly isGone?: boolean;
}

interface ForeignState {
  readonly path: string;
  readonly reason: string;
  /** What it must call itself, where it was this user's own once. */
  readonly storeId?: string;
  /** Of an untrusted project nothing else is to be expected. */
  readonly isExpected: boolean;
}

interface StateQuestion extends TrustPlace {
  /** Its real path. */
  readonly projectRoot: string;
  readonly trusted: boolean;
  /** `store.url` of the configuration. */
  readonly url: string;
}

/**
 * The one place that decides it. A database in the project is used if this user's Knack made it there, which it does only
 * in a trusted one; all else is in the user's folder: nothing in a project can say that its database is to be believed.
 */
export function findState(question: StateQuestion): StatePlace {
  const { projectRoot, trusted, url } = question;
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (file === undefined) return { url, base: "", isPrivate: false, exists: true, isToRemember: false };
  const own = userState(question);
  // By its real folder: a store of the user's that a link leads into the project is the project's.
  const isInProject = isInside(file, projectRoot) || isInside(canonical(dirname(file)), projectRoot);
  if (!isInProject) return usersChoice(file);
  const found = lookAtOwn(projectRoot, file, { isWrittenInPlace: true });
  const known = found.kind === "refused" ? undefined : knownStore(file, question);
  if (found.kind === "absent") {
    const place = trusted && !own.exists ? ofProject(question, file, false) : own;
    return known && !place.exists ? { ...place, isGone: true } : place;
  }
  const checked = known
    ? lookAtOwn(projectRoot, file, { isWrittenInPlace: true, isPrivate: known.isPrivate })
    : found;
  if (known && checked.kind === "file")
    return { ...ofProject(question, file, true), storeId: known.id, isPrivate: known.isPrivate };
  const reason = checked.kind === "refused" ? checked.reason : "your Knack did not create it";
  const path = checked.kind === "refused" ? checked.path : file;
  const storeId = known ? { storeId: known.id } : {};
  return { ...own, foreign: { path, reason, isExpected: !trusted, ...storeId } };
}

/** A database that the user's own configuration names, outside of the project. */
function usersChoice(file: string): StatePlace {
  const base = realBase(dirname(file));
  const exists = lookAtOwn(base, join(base, basename(file))).kind !== "absent";
  return { url: `sqlite:${join(base, basename(file))}`, base, isPrivate: false, exists, isToRemember: false };
}

function ofProject({ projectRoot }: StateQuestion, file: string, exists: boolean): StatePlace {
  return { url: `sqlite:${file}`, base: projectRoot, isPrivate: true, exists, isToRemember: true };
}

/** The state of a project in the user's own folder, by the project's real path. */
export function userState({ env, home, projectRoot }: Omit<StateQuestion, "trusted" | "url">): StatePlace {
  const base = realBase(knackHome(env, home));
  const file = join(base, "projects", hash("sha256", projectRoot, "hex").slice(0, 32), "state.db");
  const exists = lookAtOwn(base, file).kind !== "absent";
  return { url: `sqlite:${file}`, base, isPrivate: true, exists, isToRemember: false, project: projectRoot };
}

/** One line about a database that is not opened, with the next step. */
export function foreignNote({ foreign, url }: StatePlace): string | undefined {
  if (!foreign || foreign.isExpected) return undefined;
  return `${foreign.path} is not opened: ${foreign.reason}. The state of this project is kept in ${url.replace(/^sqlite:/, "")}; "knack audit import" checks that database and imports it, or move it away.`;
}
