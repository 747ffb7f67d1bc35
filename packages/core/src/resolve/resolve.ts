import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import type { CatalogSettings } from "../catalog/settings.ts";
import type { Entry } from "../catalog/snapshot.ts";
import { TYPED } from "../catalog/typed-skill-names.ts";
import { CLIENT_IDS } from "../config/client-folders.ts";
import { looksLikePath } from "../config/rules.ts";
import { KnackError } from "../shared/errors.ts";
import { fold, isSameName } from "../shared/fold.ts";
import { nearest } from "../shared/nearest.ts";
import { fewOf, quote, shorten } from "../shared/quote.ts";
import { DIALECT_NAMES } from "../skill/dialects.ts";

/** By a snapshot's list of entries. */
const known = new WeakMap<readonly Entry[], ReadonlyMap<string, readonly Entry[]>>();

function namedIn(entries: readonly Entry[], name: string, exactly: boolean): readonly Entry[] {
  const byName = known.get(entries) ?? Map.groupBy(entries, ({ skill }) => fold(skill.name));
  known.set(entries, byName);
  const same = byName.get(fold(name)) ?? [];
  return exactly ? same.filter(({ skill }) => isSameName(skill.name, name)) : same;
}

/**
 * What a caller names a skill by. A string is whatever a person types: a name, an id, `scope:name` or a path. A skill of a
 * plugin is called `plugin:name`, so that is its name.
 */
export type Reference =
  | string
  | { readonly name: string }
  | { readonly path: string }
  | { readonly id: string };

export interface ResolvePlace {
  /** Where relative paths begin. */
  readonly cwd: string;
  /** What `~` stands for. */
  readonly home: string;
}

export interface LookupOptions {
  /** Also a skill that is switched off, not eligible or shadowed, where no active one has the name. */
  readonly includeInactive?: boolean;
  /** The name as it is spelled: no other case or form of its letters. */
  readonly exact?: boolean;
  /** Where relative paths begin; the catalog's working directory by default. */
  readonly cwd?: string;
}

/**
 * One skill, or a clear error: nothing is guessed or completed. An exact spelling comes first, then names that fold to the
 * same. Several are ambiguous, unless the configuration says otherwise.
 */
export function lookUp(
  entries: readonly Entry[],
  reference: Reference,
  settings: CatalogSettings,
  options: LookupOptions,
): Entry {
  const given = textOf(reference);
  if (given === "") throw new KnackError("INVALID_PARAM", "Give the name, path or id of a skill.");
  const { cwd, home } = settings.place;
  const place = { cwd: options.cwd ?? cwd, home, exact: options.exact };
  const found = candidatesOf(entries, reference, place);
  const active = found.filter(({ status }) => status === "active");
  // A shadowed skill takes nobody's place (document 002 §3.6).
  const winners = found.filter(({ status }) => status !== "shadowed");
  const candidates = [active, winners].find(({ length }) => length > 0) ?? found;
  if (candidates.length === 0) throw notFound(entries, reference, place);
  const [only, second] = candidates;
  const entry = second ? nearestOf(candidates, settings) : only;
  if (!entry) throw ambiguous(given, candidates);
  const { status, reason, skill } = entry;
  if (status === "active" || options.includeInactive) return entry;
  throw new KnackError("NOT_FOUND", `The skill ${quote(skill.name)} is ${status}: ${reason}.`);
}

/** By the first reading that finds any: exact name, path, id, `scope:name`, folded name. */
export function candidatesOf(
  entries: readonly Entry[],
  reference: Reference,
  place: ResolvePlace & Pick<LookupOptions, "exact">,
): readonly Entry[] {
  if (typeof reference !== "string") {
    if ("path" in reference) return atPath(entries, reference.path, place);
    if ("id" in reference) return withId(entries, reference.id, place.exact);
    return named(entries, reference.name, place.exact);
  }
  const exact = namedIn(entries, reference, true);
  if (exact.length > 0) return exact;
  if (looksLikePath(reference)) return atPath(entries, reference, place);
  const withThisId = withId(entries, reference, place.exact);
  if (withThisId.length > 0) return withThisId;
  const called = named(entries, reference, place.exact);
  // Otherwise a folder.
  return called.length > 0 || place.exact ? called : atPath(entries, reference, place);
}

function textOf(reference: Reference): string {
  if (typeof reference === "string") return reference;
  if ("path" in reference) return reference.path;
  return "id" in reference ? reference.id : reference.name;
}

function withId(entries: readonly Entry[], id: string, exact = false): readonly Entry[] {
  const wanted = exact ? id : id.toLowerCase();
  return entries.filter(({ skill }) => skill.id === wanted);
}

const SCOPED = /^(repo|user|bundled):(.+)$/isu;

function named(entries: readonly Entry[], name: string, exact = false): readonly Entry[] {
  const own = spelledOrFolded(entries, name, exact);
  const [, scope, rest = ""] = own.length > 0 ? [] : (SCOPED.exec(name) ?? []);
  if (scope === undefined) return own;
  const wanted = exact ? scope : scope.toLowerCase();
  return spelledOrFolded(entries, rest, exact, ({ skill }) => skill.scope === wanted);
}

function spelledOrFolded(
  entries: readonly Entry[],
  name: string,
  exact: boolean,
  accepts: (entry: Entry) => boolean = () => true,
): readonly Entry[] {
  const spelled = namedIn(entries, name, true).filter(accepts);
  return spelled.length > 0 || exact ? spelled : namedIn(entries, name, false).filter(accepts);
}

/** Its folder or its `SKILL.md`. */
function atPath(entries: readonly Entry[], given: string, place: ResolvePlace): readonly Entry[] {
  const path = fullPath(given, place);
  const file = basename(path) === "SKILL.md" ? path : join(path, "SKILL.md");
  // A linked SKILL.md is the skill of the folder it is in.
  const folder = dirname(file);
  const canonical = existsSync(folder) ? join(realpathSync(folder), "SKILL.md") : file;
  return entries.filter(({ skill }) => skill.path === canonical || skill.places?.includes(canonical));
}

export function fullPath(given: string, { cwd, home }: ResolvePlace): string {
  return resolvePath(
    cwd,
    given.replace(/^~(?=$|[/\\])/, () => home),
  );
}

/** `undefined` where that is not configured, or none is nearest. */
function nearestOf(candidates: readonly Entry[], { config, userConfig }: CatalogSettings): Entry | undefined {
  // A project may not decide that its skills come before the user's.
  const mayChoose =
    config.skills.duplicates === "nearest" &&
    (userConfig.skills.duplicates === "nearest" || candidates.every(({ skill }) => skill.scope === "repo"));
  // Skills of different names are no duplicates: which one is nearer says nothing of which one is meant.
  const names = new Set(candidates.map(({ skill }) => skill.name));
  if (!mayChoose || names.size > 1) return undefined;
  const [closest, second] = candidates.toSorted((a, b) => rank(a) - rank(b));
  return closest && second && rank(closest) < rank(second) ? closest : undefined;
}

/** Closest to the working directory; on one level `.agents/skills` before `skills/`, then the clients in their order. */
function rank({ root, skill }: Entry): number {
  const client = root.client === undefined ? 0 : 1 + CLIENT_IDS.indexOf(root.client);
  return (root.distance * (CLIENT_IDS.length + 1) + client) * 4 + DIALECT_NAMES.indexOf(skill.dialect);
}

function ambiguous(given: string, candidates: readonly Entry[]): KnackError {
  const paths = candidates.map(({ skill }) => skill.path);
  const isOneName = candidates.every(({ skill }) => isSameName(skill.name, given));
  const many = isOneName
    ? `${paths.length} skills are called ${quote(given)}`
    : `${quote(given)} could mean ${paths.length} skills`;
  const listed = fewOf(
    candidates.map(({ skill }) =>
      isOneName ? `  ${skill.path}` : `  ${shorten(skill.name)}: ${skill.path}`,
    ),
    { separator: "\n", next: '"knack list --json" and skill_search have their paths' },
  );
  return new KnackError("AMBIGUOUS", `${many}; name one by its path:\n${listed}`, { candidates: paths });
}

function notFound(entries: readonly Entry[], reference: Reference, place: ResolvePlace): KnackError {
  const given = textOf(reference);
  const isId = typeof reference !== "string" && "id" in reference;
  const message = isId
    ? `No skill has the id ${quote(given)}; "knack list --json" shows all ids.`
    : isPath(reference)
      ? `No skill of the catalog is at ${shorten(fullPath(given, place))}; "knack list" shows all skills.`
      : `No skill is called ${quote(given)}. "knack list" shows all skills.${meantName(given, entries)}`;
  return new KnackError("NOT_FOUND", message);
}

/** Whether a reference that means no skill was a path. */
export function isPath(reference: Reference): boolean {
  return typeof reference === "string" ? looksLikePath(reference) : "path" in reference;
}

/** For people. Long words are no names, and slow to compare. */
export function meantName(name: string, entries: readonly Entry[]): string {
  if (name.length > MAX_NAME) return "";
  const names = entries.filter(({ status }) => status === "active").map(({ skill }) => skill.name);
  const meant = nearest(name, names, 2);
  return meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
}

const MAX_NAME = 64;

/** For guards, which rather catch one too many: also commands, and names after a sign, a plugin or folders. */
export function couldMean(entries: readonly Entry[], word: string, place: ResolvePlace): readonly Entry[] {
  const referred = candidatesOf(entries, word, place);
  if (referred.length > 0) return referred;
  const { whole, last } = bareWords(word);
  const found = [whole, last].flatMap((one) => [
    ...namedIn(entries, one, false),
    ...entries.filter(({ skill }) => skill.id === one || (skill.command && fold(skill.command) === one)),
  ]);
  return [...new Set(found)];
}

/** Without a sign before it and `SKILL.md` after it; and only what is after the last separator. */
export function bareWords(word: string): { readonly whole: string; readonly last: string } {
  const whole = fold(word)
    .replace(/[/\\]+(?:skill\.md[/\\]*)?$/, "")
    .replace(/^[/$]/, "");
  return { whole, last: whole.slice(whole.search(/[^:/\\]*$/)) };
}

/** With or without `typed:`; `undefined` where none or several are meant. */
export function typedNameOf(names: readonly string[], word: string): string | undefined {
  const wanted = word.startsWith(TYPED) ? word.slice(TYPED.length) : word;
  if (names.includes(wanted)) return wanted;
  const [one, ...others] = names.filter((name) => fold(name) === fold(wanted));
  return others.length === 0 ? one : undefined;
}
