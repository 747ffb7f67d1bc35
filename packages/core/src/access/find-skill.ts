import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Entry } from "../catalog/snapshot.ts";
import { TYPED, typedTarget } from "../catalog/typed-skill-names.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import { fullPath, isPath, meantName, typedNameOf } from "../resolve/resolve.ts";
import type { Diagnostic } from "../shared/diagnostics.ts";
import { KnackError } from "../shared/errors.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { fewOf, quote, shorten } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";

import { type ToolContext, typedSkillsOf } from "./tool.ts";

export interface SkillWanted {
  /** Its name, or what else a skill is referred to by: an id, `scope:name`, a path. */
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  /** Exact spelling; no other skill is suggested if there is none. */
  readonly exact?: boolean;
}

/**
 * The one skill that is meant, whether or not it may be used now: a path comes before a name, and
 * nothing is guessed. Throws `KnackError` with what the caller can do about it.
 */
export function findSkill(
  catalog: Catalog,
  { name, path, exact = false }: SkillWanted,
  actor: Actor = "person",
): Entry {
  const reference = path ? { path } : name;
  if (!reference) throw new KnackError("INVALID_PARAM", "Give the name or the path of a skill.");
  // A path as the catalog has it means that skill, and nothing has to be looked up.
  const known = path && catalog.entries.find(({ skill }) => skill.path === path);
  if (known) return known;
  try {
    return catalog.resolveEntry(reference, { includeInactive: true, exact });
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    if (error.code === "AMBIGUOUS") return oneForModels(catalog, error, actor);
    if (error.code !== "NOT_FOUND") throw new KnackError("INVALID_PARAM", error.message);
    if (isPath(reference)) throw notAt(catalog, path || (name ?? ""), actor);
    throw notCalled(catalog, name ?? "", actor, exact);
  }
}

/** A skill that models are not told of does not stand in the way of one of the same name that they are. */
function oneForModels(catalog: Catalog, { message, candidates = [] }: KnackError, actor: Actor): Entry {
  const paths = new Set(candidates);
  const meant = catalog.entries.filter(({ skill }) => paths.has(skill.path));
  const [one, ...others] =
    actor === "model" ? meant.filter(({ skill }) => !skill.disableModelInvocation) : meant;
  if (one && others.length === 0) return one;
  throw new KnackError("AMBIGUOUS", message, { candidates });
}

/** Where to look next: a model has a tool for it, a person a command. */
const WHERE: Readonly<Record<Actor, string>> = {
  model: "Use skill_search to find one.",
  person: '"knack list" shows all skills.',
};

function notAt(catalog: Catalog, path: string, actor: Actor): KnackError {
  const wanted = canonical(fullPath(path, catalog.place));
  const file = basename(wanted) === "SKILL.md" ? wanted : resolve(wanted, "SKILL.md");
  const leftOut = catalog.errors.filter((error) => error.path === file);
  if (leftOut.length > 0) return leftOutError(leftOut);
  const root = catalog.roots.find(({ real }) => isInside(wanted, real));
  if (!root && existsSync(wanted)) {
    const message = `${shorten(path)} is outside the folders that Knack searches for skills. ${WHERE[actor]}`;
    return new KnackError("ACCESS_DENIED", message);
  }
  if (catalog.waitingForTrust > 0 && root?.scope === "repo")
    return new KnackError("ACCESS_DENIED", trustNotice(catalog));
  return new KnackError("NOT_FOUND", `There is no skill at ${shorten(path)}. ${WHERE[actor]}`);
}

function notCalled(catalog: Catalog, name: string, actor: Actor, exact: boolean): KnackError {
  const leftOut = catalog.errors.filter((error) => basename(dirname(error.path)) === name);
  if (leftOut.length > 0) return leftOutError(leftOut);
  const off = catalog.config.skills.enabled
    ? ""
    : " All skills are switched off by skills.enabled in the configuration.";
  const hint = catalog.waitingForTrust > 0 ? ` ${trustNotice(catalog)}` : "";
  // Models learn of skills only through search, which filters what is visible to them.
  const meant = actor === "person" && !exact ? meantName(name, catalog.entries) : "";
  const message = `No skill is called ${quote(name)}. ${WHERE[actor]}${meant}`;
  return new KnackError("NOT_FOUND", `${message}${off}${hint}`);
}

/** Why an existing skill cannot be loaded. A refusal by the operating system is reported as one. */
function leftOutError(errors: readonly Diagnostic[]): KnackError {
  const told = errors.map(
    ({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`,
  );
  const message = `The skill was skipped. ${fewOf(told, { separator: " " })} Fix the file; "knack validate" checks it.`;
  const unreadable = errors.find(({ code }) => code === "E_UNREADABLE");
  if (!unreadable) return new KnackError("NOT_FOUND", message);
  const isRefusal = /\((?:EACCES|EPERM)\)/.test(unreadable.message);
  return new KnackError(isRefusal ? "PERMISSION_DENIED" : "EXECUTION_ERROR", message);
}

/** The one line about a project that the user has not trusted. */
export function trustNotice({
  waitingForTrust,
  projectRoot,
}: Pick<Catalog, "waitingForTrust" | "projectRoot">): string {
  const skills =
    waitingForTrust === 1 ? "1 skill is unavailable" : `${waitingForTrust} skills are unavailable`;
  return `${projectRoot} is not trusted: ${skills} until the user runs "knack trust" there.`;
}

/** Where the skills are: those with a `SKILL.md`, and the names of the typed ones. */
export interface Skills {
  readonly catalog: Catalog;
  readonly typedSkills: readonly string[];
}

/** Names and paths mean skills with a text first; the same name alone means the typed skill. Throws `KnackError`. */
export function findTarget({ catalog, picture, actor }: ToolContext, wanted: SkillWanted): SkillMetadata {
  const isTyped = wanted.path === undefined && wanted.name?.startsWith(TYPED);
  const name = isTyped ? wanted.name?.slice(TYPED.length) : wanted.name;
  const typed = name === undefined ? undefined : typedNameOf(typedSkillsOf(picture.now), name);
  try {
    // Another form of a name does not come before a typed skill that is called exactly so.
    return findSkill(catalog, { ...wanted, name, exact: typed !== undefined && typed === name }, actor).skill;
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "NOT_FOUND") throw error;
    if (wanted.path !== undefined || name === undefined) throw error;
    const leftOut = picture.now.registry.get(name)?.leftOut;
    if (leftOut !== undefined) throw new KnackError("NOT_FOUND", leftOut);
    if (typed === undefined) throw error;
    return typedTarget(typed);
  }
}
