import { lstatSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Catalog } from "@knack/core";
import { fullPath, isValidName } from "@knack/core/catalog";
import { canonical } from "@knack/core/files";
import { lockedAt, type SkillLock } from "@knack/core/lock";
import { KnackError, quote } from "@knack/core/text";
import { openProject } from "../host/open-project.ts";
import { type GlobalOptions, notFound } from "../options.ts";
import { type InstallPlace, skillFolder } from "./place.ts";

/**
 * The names of the installed skills that are meant: a folder's name or path, also of a skill that is not valid, and everything
 * that `knack load` takes. What means none stays as it is, for the message of the command.
 */
export async function meantNames(
  place: InstallPlace,
  lock: SkillLock,
  references: readonly string[],
  options: GlobalOptions,
): Promise<string[]> {
  const here = new Map(references.map((given) => [given, namedHere(place, lock, given, options.cwd)]));
  const isAllHere = [...here.values()].every((name) => name !== undefined);
  const catalog = isAllHere ? undefined : await openProject(options).catalog();
  return references.map((given) => here.get(given) ?? nameIn(catalog, given, place) ?? given);
}

function nameIn(catalog: Catalog | undefined, given: string, place: InstallPlace): string | undefined {
  const skill = skillOf(catalog, given);
  if (skill === undefined) return undefined;
  const places = skill.places?.map((file) => dirname(file)) ?? [skill.dir];
  const dir = places.find((one) => dirname(one) === place.skillsFolder);
  if (dir !== undefined) return basename(dir);
  const how = skill.scope === "user" && place.scope === "project" ? " Your own skills need --user." : "";
  throw notFound(`${quote(given)} is ${skill.dir}, which is not in ${place.skillsFolder}.${how}`);
}

function skillOf(catalog: Catalog | undefined, given: string) {
  try {
    return catalog?.resolveEntry(given, { includeInactive: true }).skill;
  } catch (error) {
    if (error instanceof KnackError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function namedHere(place: InstallPlace, lock: SkillLock, given: string, cwd = "."): string | undefined {
  const isHere = (dir: string): boolean => lstatSync(dir, { throwIfNoEntry: false }) !== undefined;
  if (isValidName(given)) {
    const { dir, folder } = skillFolder(place, given);
    if (isHere(dir) || lockedAt(lock, folder)) return given;
  }
  const path = fullPath(given, { cwd: resolve(cwd), home: place.home });
  const dir = basename(path) === "SKILL.md" ? dirname(path) : path;
  return canonical(dirname(dir)) === place.skillsFolder && isHere(dir) ? basename(dir) : undefined;
}
