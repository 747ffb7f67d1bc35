import { cpSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { inHome } from "@knack/core/catalog";
import { CLIENT_FOLDERS, CLIENT_IDS, type ClientId } from "@knack/core/config";
import { canonical, isInside, systemCode } from "@knack/core/files";
import { digestSkill } from "@knack/core/lock";
import { names, oneOf } from "../options.ts";
import { fileInWayOf, type InstallPlace, skillFolder } from "./place.ts";

type ClientState = "absent" | "ours" | "foreign" | "outside" | "blocked";

/**
 * Whether a client's folder has this skill from us: a link to it, or a copy with the same bytes, where links are not possible.
 * Anything else there is somebody's own. A client's folder that is a link out of the project is not touched.
 */
export async function clientState(
  place: InstallPlace,
  client: ClientId,
  name: string,
  digest: string | null,
): Promise<ClientState> {
  const folder = clientSkillFolder(client, place);
  if (place.scope === "project" && !isInside(canonical(folder), place.base)) return "outside";
  if (fileInWayOf(folder) !== undefined) return "blocked";
  const path = join(folder, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A client's folder that is a link to the skills folder has the skill already.
  if (canonical(folder) === place.skillsFolder) return "ours";
  if (!stats) return "absent";
  if (stats.isSymbolicLink()) return leadsTo(path, skillFolder(place, name).dir) ? "ours" : "foreign";
  if (!stats.isDirectory() || digest === null) return "foreign";
  const found = await digestSkill(path);
  return found.faults.length === 0 && found.sha256 === digest ? "ours" : "foreign";
}

export async function clientsWith(
  place: InstallPlace,
  name: string,
  digest: string | null,
): Promise<ClientId[]> {
  const found: ClientId[] = [];
  for (const client of CLIENT_IDS)
    if ((await clientState(place, client, name, digest)) === "ours" && !sharesFolder(place, client))
      found.push(client);
  return found;
}

/** Puts the skill where a client looks: a relative link, or a copy where links fail. */
export function linkFor(place: InstallPlace, client: ClientId, name: string): void {
  if (sharesFolder(place, client)) return;
  const folder = clientSkillFolder(client, place);
  const path = join(folder, name);
  const { dir } = skillFolder(place, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() && leadsTo(path, dir)) return;
  mkdirSync(folder, { recursive: true });
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(relative(realpathSync(folder), dir), path, "dir");
  } catch (error) {
    systemCode(error);
    cpSync(dir, path, { recursive: true });
  }
}

export function unlinkFor(place: InstallPlace, client: ClientId, name: string): void {
  if (!sharesFolder(place, client))
    rmSync(join(clientSkillFolder(client, place), name), { recursive: true, force: true });
}

const sharesFolder = (place: InstallPlace, client: ClientId): boolean =>
  canonical(clientSkillFolder(client, place)) === place.skillsFolder;

/** By itself, also to a folder that is gone for the moment or a link, or by way of others. */
function leadsTo(link: string, dir: string): boolean {
  return resolve(realpathSync(dirname(link)), readlinkSync(link)) === dir || canonical(link) === dir;
}

/** Where a client looks for skills; of several folders, the first. One without a folder of its own reads the common one. */
export function clientSkillFolder(
  client: ClientId,
  { scope, base, home, env }: Pick<InstallPlace, "scope" | "base" | "home" | "env">,
): string {
  const { project, user } = CLIENT_FOLDERS[client];
  return scope === "project"
    ? join(base, project[0] ?? ".agents/skills")
    : inHome(client, user[0], { home, env });
}

export function readClients(given: readonly string[] | undefined): ClientId[] {
  const wanted = (given ?? []).flatMap((text) => names(text.toLowerCase(), "--for"));
  return [...new Set(wanted)].map((name) => oneOf(name, CLIENT_IDS, "client"));
}
