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
  /** A name, an id, `scope:name` or a path. */
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  /** Exact spelling; no other skill is suggested if there is none. */
  readonly exact?: boolean;
}

/** The one skill that is meant, usable or not: a path before a name, nothing guessed. Throws `KnackError` with what to do. */
export function findSkill(
  catalog: Catalog,
  { name, path, exact = false }: SkillWanted,
  actor: Actor = "person",
): Entry {
  const reference = path ? { path } : name;
  if (!reference) throw new KnackError("INVALID_PARAM", "Give the name or the path of a skill.");
  // A path that the catalog has needs no lookup.
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

/** A skill that is hidden from models does not make a name ambiguous for a model. */
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

/** A refusal by the operating system keeps a code of its own. */
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

export function trustNotice({
  waitingForTrust,
  projectRoot,
}: Pick<Catalog, "waitingForTrust" | "projectRoot">): string {
  const skills =
    waitingForTrust === 1 ? "1 skill is unavailable" : `${waitingForTrust} skills are unavailable`;
  return `${projectRoot} is not trusted: ${skills} until the user runs "knack trust" there.`;
}

export interface Skills {
  readonly catalog: Catalog;
  readonly typedSkills: readonly string[];
}

/** A skill with a text comes before a typed skill of the same name. Throws `KnackError`. */
export function findTarget({ catalog, picture, actor }: ToolContext, wanted: SkillWanted): SkillMetadata {
  const isTyped = wanted.path === undefined && wanted.name?.startsWith(TYPED);
  const name = isTyped ? wanted.name?.slice(TYPED.length) : wanted.name;
  const typed = name === undefined ? undefined : typedNameOf(typedSkillsOf(picture.now), name);
  try {
    // A typed skill of exactly this name comes before another form of a name.
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
